# In place of python:*-slim-bookworm: the Python of the building machine, without its packages. Debian's own 3.11 is
# older than pinned packages ask for.
FROM stand-in/base
RUN apt-get update && apt-get install -y --no-install-recommends libbz2-1.0 libexpat1 libffi8 liblzma5 libreadline8 \
    libsqlite3-0 libssl3 libuuid1 zlib1g && rm -rf /var/lib/apt/lists/*
COPY python /usr/local
RUN ldconfig && cd /usr/local/bin && ln -sf python3.* python3 && ln -sf python3 python \
    && python -m ensurepip && ln -sf pip3 pip
