# The compiled package with what it needs to run, and nothing else: see docs/ci.md.
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-slim
COPY --from=build /build/node_modules /opt/assay/node_modules
COPY --from=build /build/dist /opt/assay/dist
COPY package.json LICENSE /opt/assay/
RUN chmod +x /opt/assay/dist/cli/main.js && ln -s /opt/assay/dist/cli/main.js /usr/local/bin/assay
USER node
WORKDIR /work
ENTRYPOINT ["assay"]
CMD ["--help"]
