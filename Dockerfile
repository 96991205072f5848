# Runs `pipeline serve`, or another command of pipeline. See docs/install/container.md.

FROM python:3.11-slim-bookworm AS build
WORKDIR /source
RUN python -m venv /opt/pipeline
# `traces` adds OpenTelemetry.
ARG LOCK=runtime
COPY requirements/runtime.lock requirements/traces.lock ./
RUN /opt/pipeline/bin/pip install --no-cache-dir --require-hashes -r ${LOCK}.lock
COPY setup.py production.ini CHANGELOG.md ./
COPY pipeline pipeline
COPY sql sql
COPY alembic alembic
COPY docs docs
COPY clients clients
RUN /opt/pipeline/bin/pip install --no-cache-dir --no-deps --no-build-isolation . \
    && /opt/pipeline/bin/pip uninstall --yes pip

FROM python:3.11-slim-bookworm
# Libraries, fonts and the converter of documents, as in development/system.py; pg_dump and psql for commands.
# The cache of fonts is valid for folders of the same time; an image stores whole seconds.
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        fontconfig \
        fonts-crosextra-caladea \
        fonts-crosextra-carlito \
        fonts-liberation \
        fonts-noto-cjk \
        fonts-noto-color-emoji \
        fonts-noto-core \
        libharfbuzz-subset0 \
        libpango-1.0-0 \
        libpangoft2-1.0-0 \
        libreoffice-writer-nogui \
        postgresql-client-15 \
    && rm -rf /var/lib/apt/lists/* \
    && find /usr/share/fonts /usr/local/share/fonts -type d -exec touch --date="$(date --utc +%FT%TZ)" {} + \
    && fc-cache --system-only \
    && useradd --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin pipeline
COPY --from=build /opt/pipeline /opt/pipeline
# The service writes only to /tmp.
ENV PATH=/opt/pipeline/bin:$PATH \
    PIPELINE_ENVIRONMENT=production \
    HOST=0.0.0.0 \
    PORT=6543 \
    PYTHONDONTWRITEBYTECODE=1 \
    XDG_CACHE_HOME=/tmp
USER 10001:10001
WORKDIR /tmp
EXPOSE 6543
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/healthz', timeout=5)"]
ENTRYPOINT ["pipeline"]
CMD ["serve"]
