# In place of opensearchproject/opensearch: the build of Maven Central with k-NN, neural-search and ml, a JDK of the
# building machine, and no security plugin and no FAISS, which no registry has.
FROM stand-in/base
RUN apt-get update && apt-get install -y --no-install-recommends curl && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 1000 --home-dir /usr/share/opensearch opensearch
COPY jdk /opt/jdk
COPY --chown=1000:1000 opensearch /usr/share/opensearch
COPY opensearch-entrypoint.sh /entrypoint
RUN mkdir -p /usr/share/opensearch/data /usr/share/opensearch/snapshots \
    && chown 1000:1000 /usr/share/opensearch/data /usr/share/opensearch/snapshots
ENV OPENSEARCH_JAVA_HOME=/opt/jdk
WORKDIR /usr/share/opensearch
USER 1000
ENTRYPOINT ["/entrypoint"]
