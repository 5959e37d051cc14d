# Rostrum as an image: `docker build .` models on the CPU, `docker build --target gpu .` with FAISS and torch for CUDA.
# What is in them: docs/operations.md. What the build sees: .dockerignore.

ARG PYTHON=3.11.13-slim-bookworm

FROM python:${PYTHON} AS wheel
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:${PYTHON} AS packages
WORKDIR /wheels
ENV PATH=/opt/rostrum/bin:$PATH
COPY constraints.txt .
COPY --from=wheel /wheels .
RUN python -m venv /opt/rostrum \
    && set -- *.whl \
    && pip install --no-cache-dir -c constraints.txt "$1[api,cluster,openvino,otel]" \
    && pip uninstall --yes openvino-telemetry

# Both packages of FAISS hold the same module: the one for the CPU leaves before the other is laid down.
FROM packages AS packages-gpu
RUN set -- *.whl \
    && pip install --no-cache-dir -c constraints.txt "$1[gpu]" \
    && pip uninstall --yes faiss-cpu faiss-gpu-cu12 \
    && pip install --no-cache-dir -c constraints.txt --no-deps faiss-gpu-cu12

FROM python:${PYTHON} AS runtime
ENV PATH=/opt/rostrum/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    ORT_DISABLE_TELEMETRY=1 \
    HF_HUB_DISABLE_TELEMETRY=1 \
    DO_NOT_TRACK=1 \
    ROSTRUM_ARCHIVE=/var/lib/rostrum/archive
RUN useradd --uid 10001 --create-home --home-dir /var/lib/rostrum rostrum
WORKDIR /var/lib/rostrum
USER 10001
VOLUME /var/lib/rostrum
EXPOSE 8000
ENTRYPOINT ["rostrum"]
CMD ["--help"]

FROM runtime AS gpu
COPY --from=packages-gpu /opt/rostrum /opt/rostrum

FROM runtime AS cpu
COPY --from=packages /opt/rostrum /opt/rostrum
