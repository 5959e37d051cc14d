# In place of python:*-slim-bookworm: Debian's Python 3.11, as `python` and with a pip that may install.
FROM stand-in/base
RUN apt-get update && apt-get install -y --no-install-recommends python3 python3-venv python3-pip \
    && rm -rf /var/lib/apt/lists/* /usr/lib/python3*/EXTERNALLY-MANAGED \
    && ln -s python3 /usr/bin/python
