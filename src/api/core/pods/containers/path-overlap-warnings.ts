import { quoted } from '../../../human/go-syntax.ts'
import { shortened } from '../../../human/shortened.ts'
import type { KeyToPath, Volume, VolumeProjection } from '../../../types/core-v1.ts'

interface SourcedPath {
  readonly path: string
  /** Empty if all paths have the same source. */
  readonly source: string
}

/** All paths of one volume are compared with each other. Kubernetes has no limit. */
const mostPaths = 200

/** Files of one volume that would overwrite each other. Yielded one by one: there may be very many. */
export function* overlapWarnings({ name, configMap, secret, downwardAPI, projected }: Volume): Iterable<string> {
  const volume = `volume ${quoted(name)}`
  if (configMap !== undefined) {
    yield* told(`${volume} (ConfigMap ${quoted(configMap.name ?? '')})`, pathsOf(configMap.items, ''))
  }
  if (secret !== undefined) {
    yield* told(`${volume} (Secret ${quoted(secret.secretName ?? '')})`, pathsOf(secret.items, ''))
  }
  if (downwardAPI !== undefined) yield* told(`${volume} (DownwardAPI)`, pathsOf(downwardAPI.items, ''))
  const sources = projected?.sources ?? []
  for (const source of sources) {
    if (Object.keys(source).length === 0) yield `${volume} (Projected) has no sources provided`
  }
  yield* told(`${volume} (Projected)`, sources.flatMap(projectedPaths))
}

function projectedPaths(source: VolumeProjection): readonly SourcedPath[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle: bundle } = source
  if (configMap?.items !== undefined) return pathsOf(configMap.items, `ConfigMap ${quoted(configMap.name ?? '')}`)
  if (secret?.items !== undefined) return pathsOf(secret.items, `Secret ${quoted(secret.name ?? '')}`)
  if (downwardAPI?.items !== undefined) return pathsOf(downwardAPI.items, 'DownwardAPI')
  if (serviceAccountToken !== undefined) return pathsOf([serviceAccountToken], 'ServiceAccountToken')
  if (bundle === undefined) return []
  return pathsOf([bundle], `ClusterTrustBundle ${quoted(bundle.name ?? bundle.signerName ?? '')}`)
}

function pathsOf(items: readonly Pick<KeyToPath, 'path'>[] | undefined, source: string): readonly SourcedPath[] {
  return (items ?? []).map(({ path }) => ({ path: withoutLastSlashes(path), source }))
}

/** A regular expression would revisit a run of slashes once for each of them. */
function withoutLastSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

function* told(volume: string, paths: readonly SourcedPath[]): Iterable<string> {
  const compared = paths.slice(0, mostPaths).filter(({ path }) => path !== '')
  for (const [index, one] of compared.entries()) {
    for (const other of compared.slice(0, index)) {
      if (!isInside(other.path, one.path) && !isInside(one.path, other.path)) continue
      yield `${volume}: overlapping paths: ${shown(one)} with ${shown(other)}`
    }
  }
}

function isInside(path: string, folder: string): boolean {
  if (path.length === folder.length) return path === folder
  return path[folder.length] === '/' && path.startsWith(folder)
}

function shown({ path, source }: SourcedPath): string {
  const text = quoted(shortened(path))
  return source === '' ? text : `${text} (${source})`
}
