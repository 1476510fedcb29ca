# The command `tenant`, for virtual clusters (`tenant run`) and for the platform (`tenant platform serve`).
#
#   docker build -t tenant-platform:0.1.0 .
#   docker run --rm --read-only --tmpfs /tmp -v data:/var/lib/tenant tenant-platform:0.1.0 platform serve --store file:/var/lib/tenant/store

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
# Numbers, so that a cluster can tell that it is not root. The same ones are in what `tenant create` applies.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
  && install -d -o 65532 -g 65532 /var/lib/tenant
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
RUN chmod 755 dist/cli/main.js && ln -s /app/dist/cli/main.js /usr/local/bin/tenant
# What C has freed goes back to the machine: by default each thread keeps a share of its own.
ENV NODE_ENV=production HOME=/var/lib/tenant MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=131072
USER 65532:65532
VOLUME /var/lib/tenant
EXPOSE 8443
ENTRYPOINT ["tenant"]
CMD ["--help"]
