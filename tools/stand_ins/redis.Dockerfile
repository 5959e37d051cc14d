# In place of redis:*-alpine: Debian's Redis 7.0, whose package makes the user `redis`.
FROM stand-in/base
RUN apt-get update && apt-get install -y --no-install-recommends redis-server && rm -rf /var/lib/apt/lists/* \
    && mkdir /data && chown redis /data
WORKDIR /data
CMD ["redis-server"]
