import type { Architecture, LayerFile } from '../contract.ts'
import { packEntries, sha256 } from './archive.ts'
import type { Layer } from './layer.ts'

const manifestType = 'application/vnd.oci.image.manifest.v1+json'
const configType = 'application/vnd.oci.image.config.v1+json'
const layerType = 'application/vnd.oci.image.layer.v1.tar+gzip'

/** How containers of the image start: what the last stage of the Dockerfile says. */
export interface RunConfig {
  readonly user: string
  readonly environment: readonly string[]
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly workingDirectory: string
  readonly volumes: readonly string[]
  readonly ports: readonly string[]
}

export interface LayoutOptions {
  readonly architecture: Architecture
  readonly name: string
  readonly run: RunConfig
  readonly labels: Readonly<Record<string, string>>
  readonly createdSeconds: number
}

export interface Layout {
  /** Of the manifest: what a registry knows the image by. */
  readonly digest: string
  readonly archive: Buffer
}

/** An archive in the layout of OCI images, which container runtimes import and registries' tools push. */
export async function packLayout(layers: readonly Layer[], options: LayoutOptions): Promise<Layout> {
  const config = blobOf(imageConfig(layers, options))
  const manifest = blobOf({
    schemaVersion: 2,
    mediaType: manifestType,
    config: describe(configType, config),
    layers: layers.map((layer) => describe(layerType, layer)),
  })
  const platform = { architecture: options.architecture, os: 'linux' }
  const annotations = {
    'io.containerd.image.name': options.name,
    'org.opencontainers.image.ref.name': options.name,
  }
  const index = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [{ ...describe(manifestType, manifest), platform, annotations }],
  }
  const entries = [
    plainFile('oci-layout', json({ imageLayoutVersion: '1.0.0' })),
    plainFile('index.json', json(index)),
    ...[config, manifest, ...layers].map(({ digest, bytes }) => plainFile(`blobs/sha256/${digest}`, bytes)),
  ]
  return { digest: `sha256:${manifest.digest}`, archive: await packEntries(entries, options.createdSeconds) }
}

function imageConfig(layers: readonly Layer[], { architecture, run, labels, createdSeconds }: LayoutOptions) {
  const created = new Date(createdSeconds * 1000).toISOString()
  return {
    architecture,
    os: 'linux',
    created,
    config: {
      User: run.user,
      Env: run.environment,
      Entrypoint: run.entrypoint,
      Cmd: run.command,
      WorkingDir: run.workingDirectory,
      Volumes: Object.fromEntries(run.volumes.map((path) => [path, {}])),
      ExposedPorts: Object.fromEntries(run.ports.map((port) => [port, {}])),
      Labels: labels,
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => `sha256:${diffId}`) },
    history: layers.map(() => ({ created, created_by: 'npm run image' })),
  }
}

interface Blob {
  readonly digest: string
  readonly bytes: Uint8Array
}

function blobOf(value: unknown): Blob {
  const bytes = json(value)
  return { digest: sha256(bytes), bytes }
}

function describe(mediaType: string, { digest, bytes }: Blob) {
  return { mediaType, digest: `sha256:${digest}`, size: bytes.byteLength }
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

function plainFile(path: string, content: Uint8Array): LayerFile {
  return { type: 'file', path, mode: 0o644, content }
}
