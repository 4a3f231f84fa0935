# syntax=docker/dockerfile:1
# For reproducible builds, pin the base image by its digest: --build-arg NODE_IMAGE=node@sha256:…
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
COPY packages ./packages
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
COPY LICENSE ./
COPY scripts ./scripts
COPY docs ./docs
# Builds the theme, the dashboard, the template for new databases and the bundled program, and then installs only what the command needs.
RUN node scripts/build.ts
RUN npm ci --omit=dev --workspace=docent --include-workspace-root=false --ignore-scripts --no-audit --no-fund --loglevel=error
RUN find node_modules -name '*.map' -type f -delete && rm -rf scripts
# Node.js keeps compiled code here, so that a pod starts in half the time. It names the folder after the user.
ENV NODE_COMPILE_CACHE=/app/.cache/compile
RUN mkdir -p /app/.cache/compile && chown -R 1000:1000 /app/.cache
USER 1000:1000
RUN DOCENT_DATA=/tmp/warm/data node dist/program/docent-main.js migrate \
    && node dist/program/docent-main.js export docs --out /tmp/warm/bundle.tar.gz \
    && node dist/program/docent-main.js verify /tmp/warm/bundle.tar.gz \
    && rm -rf /tmp/warm

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Docent" \
      org.opencontainers.image.description="An open, self-hosted documentation platform" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
    NODE_OPTIONS=--max-semi-space-size=16 \
    MALLOC_ARENA_MAX=2 \
    MALLOC_TRIM_THRESHOLD_=131072 \
    NODE_COMPILE_CACHE=/app/.cache/compile \
    DOCENT_HOST=0.0.0.0 \
    DOCENT_PORT=3000 \
    DOCENT_DATA=/var/lib/docent/data \
    DOCENT_BUNDLE_CACHE=/var/lib/docent/bundles
# For sites that are published from a Git repository.
RUN apt-get update && apt-get install -y --no-install-recommends git openssh-client ca-certificates && rm -rf /var/lib/apt/lists/*
COPY deploy/docker/docent /usr/local/bin/docent
COPY --from=build /app /app
# Only this folder and /tmp are written to; everything else may be read-only. A new volume for shared files inherits the owner of
# the folder that it is mounted on.
RUN mkdir -p /var/lib/docent/shared && chown -R 1000:1000 /var/lib/docent
VOLUME /var/lib/docent
WORKDIR /var/lib/docent
# A number, so that Kubernetes can check that it is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=6 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.DOCENT_PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The flags that scripts/launch.mjs passes to `serve` and that NODE_OPTIONS does not allow.
ENTRYPOINT ["node", "--heap-growing-percent=60", "--no-wasm-dynamic-tiering", "--no-wasm-tier-up", "/app/dist/program/docent-main.js"]
CMD ["serve"]
