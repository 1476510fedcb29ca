import { shown } from '../../api/tenant-config/wording.ts'

/** Why a name is not allowed; undefined if it is. */
export type NameCheck = (name: unknown) => string | undefined

/** Domains with a meaning only inside a network. */
const internalDomains = [
  'svc',
  'cluster.local',
  'local',
  'localhost',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'arpa',
]

/** A name with this many labels is not mistaken for a Service and its namespace. */
const fewestLabels = 3

/**
 * Names are compared in lower case and without the trailing dot, as resolvers do. `*` allows every name that cannot be
 * one of the host's own: resolvers with the host's search domains try a name of two labels as `<service>.<namespace>`,
 * unless a trailing dot marks it as complete.
 */
export function externalNameCheck(allowed: readonly string[], hostClusterDomain: string): NameCheck {
  const internal = [...internalDomains, hostClusterDomain.toLowerCase()]
  return (name) => {
    if (typeof name !== 'string' || name === '') return 'it is no name'
    const isComplete = name.endsWith('.')
    const folded = (isComplete ? name.slice(0, -1) : name).toLowerCase()
    if (matchesName(folded, allowed)) return undefined
    const why = whyInternal(folded, isComplete, internal)
    if (why !== undefined) return `${shown(name)} ${why}`
    return allowed.includes('*') ? undefined : `${shown(name)} is not among the names that are allowed`
  }
}

/** Whether a name equals one of the patterns, or is below one. */
export function matchesName(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.startsWith('*.') ? name.length >= pattern.length && name.endsWith(pattern.slice(1)) : name === pattern,
  )
}

function whyInternal(name: string, isComplete: boolean, internal: readonly string[]): string | undefined {
  const labels = name.split('.')
  if (/^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')) return 'is read as an address'
  if (internal.some((domain) => name === domain || name.endsWith(`.${domain}`))) return 'is a name of the host'
  const isShort = isComplete ? labels.length < 2 : labels.length < fewestLabels
  return isShort ? 'may be a Service of the host' : undefined
}
