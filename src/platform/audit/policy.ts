import type { AuditedRequest } from '../../server/contract.ts'

export type AuditLevel = 'none' | 'metadata'

/** The first matching rule decides; without one, the request is recorded. Every field that is set must match. */
export interface AuditRule {
  readonly level: AuditLevel
  readonly users?: readonly string[]
  readonly groups?: readonly string[]
  readonly verbs?: readonly string[]
  /** `resource`, or `resource/subresource`. */
  readonly resources?: readonly string[]
  readonly namespaces?: readonly string[]
  /** Paths of requests that are not about objects; a trailing `*` matches any suffix. */
  readonly paths?: readonly string[]
}

/** Health checks and discovery would only fill the log. Refusals are always recorded. */
export const defaultAuditPolicy: readonly AuditRule[] = [
  { level: 'none', paths: ['/healthz*', '/livez*', '/readyz*', '/version', '/metrics'] },
  { level: 'none', verbs: ['get'], paths: ['/api*', '/openapi*'] },
]

export function auditLevel(policy: readonly AuditRule[], record: AuditedRequest): AuditLevel {
  if (!record.isAuthorized) return 'metadata'
  return policy.find((rule) => fits(rule, record))?.level ?? 'metadata'
}

function fits(rule: AuditRule, { user, verb, objectRef, requestUri }: AuditedRequest): boolean {
  const { users, groups, verbs, resources, namespaces, paths } = rule
  if (users !== undefined && !users.includes(user.name)) return false
  if (groups !== undefined && !user.groups.some((group) => groups.includes(group))) return false
  if (verbs !== undefined && !verbs.includes(verb)) return false
  if (paths !== undefined && (objectRef !== undefined || !paths.some((path) => fitsPath(path, requestUri))))
    return false
  if (resources === undefined && namespaces === undefined) return true
  if (objectRef === undefined) return false
  const { resource, subresource, namespace } = objectRef
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  return (resources?.includes(whole) ?? true) && (namespaces?.includes(namespace) ?? true)
}

function fitsPath(pattern: string, uri: string): boolean {
  const [path = ''] = uri.split('?', 1)
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}
