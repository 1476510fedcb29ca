import { quoted } from '../human/go-syntax.ts'
import type { KeyToPath, Volume, VolumeProjection } from '../types/core-v1.ts'

interface SourcedPath {
  readonly path: string
  /** Empty where all paths come from the same. */
  readonly source: string
}

/** Each is compared with each of one volume. Kubernetes has no limit. */
const mostPaths = 200

/** Files of one volume that would take each other's place. */
export function overlapWarnings({ name, configMap, secret, downwardAPI, projected }: Volume): readonly string[] {
  const told = (of: string, paths: readonly SourcedPath[]) =>
    overlapsOf(paths).map((overlap) => `volume ${quoted(name)} (${of}): overlapping paths: ${overlap}`)
  return [
    ...(configMap === undefined ? [] : told(`ConfigMap ${quoted(configMap.name ?? '')}`, pathsOf(configMap.items, ''))),
    ...(secret === undefined ? [] : told(`Secret ${quoted(secret.secretName ?? '')}`, pathsOf(secret.items, ''))),
    ...(downwardAPI === undefined ? [] : told('DownwardAPI', pathsOf(downwardAPI.items, ''))),
    ...(projected?.sources ?? []).flatMap((source) =>
      Object.keys(source).length === 0 ? [`volume ${quoted(name)} (Projected) has no sources provided`] : [],
    ),
    ...told('Projected', (projected?.sources ?? []).flatMap(projectedPaths)),
  ]
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
  return (items ?? []).map(({ path }) => ({ path: path.replace(/\/+$/, ''), source }))
}

function overlapsOf(paths: readonly SourcedPath[]): readonly string[] {
  const compared = paths.slice(0, mostPaths).filter(({ path }) => path !== '')
  return compared.flatMap((one, index) =>
    compared
      .slice(0, index)
      .filter((other) => isInside(other.path, one.path) || isInside(one.path, other.path))
      .map((other) => `${shown(one)} with ${shown(other)}`),
  )
}

function isInside(path: string, folder: string): boolean {
  return `${path}/`.startsWith(`${folder}/`)
}

function shown({ path, source }: SourcedPath): string {
  return source === '' ? quoted(path) : `${quoted(path)} (${source})`
}
