# In place of prom/prometheus: Debian's, of an older version, with a wget for the health check.
FROM stand-in/base
RUN apt-get update && apt-get install -y --no-install-recommends prometheus wget && rm -rf /var/lib/apt/lists/* \
    && mkdir -p /prometheus && chown nobody /prometheus
WORKDIR /prometheus
ENTRYPOINT ["prometheus"]
CMD ["--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]
