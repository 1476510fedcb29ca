import { readFileSync } from 'node:fs'
import { billOfMaterials } from './bill-of-materials.ts'
import type { Component, LayerFile, Part } from './contract.ts'
import { packLayer } from './oci/layer.ts'
import { type Layout, packLayout, type RunConfig } from './oci/layout.ts'
import type { ImageOptions } from './options.ts'
import { debianPart } from './parts/debian.ts'
import { dependencies } from './parts/dependencies.ts'
import { nodePart } from './parts/node.ts'
import { programEntries } from './parts/program.ts'
import { imageUser, systemEntries } from './parts/system.ts'
import type { Source } from './source.ts'

/** As in the Dockerfile; a test compares them. */
export const runConfig: RunConfig = {
  user: `${imageUser}:${imageUser}`,
  environment: [
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'NODE_ENV=production',
    'HOME=/var/lib/tenant',
    // What C has freed goes back to the machine: by default each thread keeps a share of its own.
    'MALLOC_ARENA_MAX=1',
    'MALLOC_TRIM_THRESHOLD_=131072',
    'MALLOC_MMAP_THRESHOLD_=131072',
  ],
  entrypoint: ['tenant'],
  command: ['--help'],
  workingDirectory: '/app',
  volumes: ['/var/lib/tenant'],
  ports: ['8443/tcp'],
}

export type BuildOptions = Pick<ImageOptions, 'architecture' | 'name' | 'cache'>

/** What changes least is the lowest layer, so that a new version of the program is one new layer. */
export async function buildImage({ architecture, name, cache }: BuildOptions, source: Source): Promise<Layout> {
  const [debian, node, needed] = await Promise.all([
    debianPart(architecture, cache),
    nodePart(architecture, cache),
    dependencies(architecture, cache),
  ])
  const product = productOf(readFileSync('package.json', 'utf8'))
  const components = [...debian.components, ...node.components, ...needed.components]
  const bill = { product, components, createdSeconds: source.seconds }
  const program: Part = {
    entries: [...systemEntries, ...needed.entries, ...programEntries(), billFile(billOfMaterials(bill))],
    components: needed.components,
    modifiedSeconds: source.seconds,
  }
  const layers = await Promise.all([debian, node, program].map(packLayer))
  const labels = labelsOf(product, source, [...debian.components, ...node.components])
  return packLayout(layers, { architecture, name, run: runConfig, labels, createdSeconds: source.seconds })
}

function productOf(manifest: string): Component {
  const { name, version, license } = JSON.parse(manifest)
  return { type: 'application', name, version, purl: `pkg:npm/${name}@${version}`, license }
}

function billFile(bill: object): LayerFile {
  const content = Buffer.from(`${JSON.stringify(bill, null, 2)}\n`)
  return { type: 'file', path: 'usr/share/sbom/tenant-platform.cdx.json', mode: 0o644, content }
}

/** Who made it of what, for those who only see the image and do not open it. */
function labelsOf({ name, version, license = '' }: Component, source: Source, beneath: readonly Component[]) {
  return {
    'org.opencontainers.image.title': name,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': license,
    'org.opencontainers.image.revision': source.revision,
    ...Object.fromEntries(beneath.map((each) => [`tenant.internal/version.${each.name}`, each.version])),
  }
}
