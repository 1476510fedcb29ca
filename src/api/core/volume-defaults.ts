import type { Volume } from './pod-types.ts'

type Source = Readonly<Record<string, unknown>>

const defaultFileMode = 0o644
const tokenLifetimeSeconds = 3600

/** What each kind of volume has when its source does not say. */
const sourceDefaults: Readonly<Record<string, (source: Source) => Source>> = {
  secret: withFileMode,
  configMap: withFileMode,
  downwardAPI: (source) => withFileMode(withItemVersions(source)),
  projected: (source) => withFileMode(withProjectionDefaults(source)),
  hostPath: (source) => ({ type: '', ...source }),
}

/** A volume that names no source is an empty directory. */
export function withVolumeDefaults(volume: Volume): Volume {
  const sources = Object.keys(volume).filter((member) => member !== 'name')
  if (sources.length === 0) return { ...volume, emptyDir: {} }
  const completed = sources.flatMap((member) => {
    const complete = Object.hasOwn(sourceDefaults, member) ? sourceDefaults[member] : undefined
    const source = volume[member]
    return complete !== undefined && isSource(source) ? [[member, complete(source)] as const] : []
  })
  return { ...volume, ...Object.fromEntries(completed) }
}

function withFileMode(source: Source): Source {
  return { defaultMode: defaultFileMode, ...source }
}

function withItemVersions(source: Source): Source {
  const { items } = source
  return Array.isArray(items) ? { ...source, items: items.map(withFieldVersion) } : source
}

function withFieldVersion(item: unknown): unknown {
  if (!isSource(item) || !isSource(item.fieldRef)) return item
  return { ...item, fieldRef: { apiVersion: 'v1', ...item.fieldRef } }
}

function withProjectionDefaults(source: Source): Source {
  const { sources } = source
  return Array.isArray(sources) ? { ...source, sources: sources.map(withProjection) } : source
}

function withProjection(projection: unknown): unknown {
  if (!isSource(projection)) return projection
  const { serviceAccountToken: token, downwardAPI } = projection
  return {
    ...projection,
    ...(isSource(token) ? { serviceAccountToken: { expirationSeconds: tokenLifetimeSeconds, ...token } } : {}),
    ...(isSource(downwardAPI) ? { downwardAPI: withItemVersions(downwardAPI) } : {}),
  }
}

function isSource(value: unknown): value is Source {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
