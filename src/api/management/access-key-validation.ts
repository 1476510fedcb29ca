import { type FieldError, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import type { KubeObject } from '../object.ts'

export const accessKeyTypes: readonly string[] = [
  'User',
  'Login',
  'Other',
  'Reset',
  'OIDCRefreshToken',
  'NetworkPeer',
  'Workspace',
]

/** 100 years of 365 days. Beyond a few hundred thousand years there are no dates any more. */
export const longestTtlSeconds = 100 * 365 * 24 * 3600

/** Rules that hold whoever writes the key, beyond its schema. */
export function validateAccessKey({ spec }: KubeObject): readonly FieldError[] {
  if (typeof spec !== 'object' || spec === null) return []
  return [
    ...('ttl' in spec ? validateTtl(spec.ttl) : []),
    ...('type' in spec ? validateType(spec.type) : []),
    ...('groups' in spec ? validateGroups(spec.groups) : []),
  ]
}

function validateTtl(ttl: unknown): readonly FieldError[] {
  if (typeof ttl !== 'number' || (ttl >= 0 && ttl <= longestTtlSeconds)) return []
  if (ttl < 0) return [invalidField('spec.ttl', ttl, 'must be greater than or equal to 0')]
  const problem = `must be at most ${longestTtlSeconds}, which is 100 years; leave it out for a key without an end`
  return [invalidField('spec.ttl', ttl, problem)]
}

function validateType(type: unknown): readonly FieldError[] {
  if (typeof type !== 'string' || type === '' || accessKeyTypes.includes(type)) return []
  return [notSupportedField('spec.type', type, accessKeyTypes)]
}

function validateGroups(groups: unknown): readonly FieldError[] {
  if (!Array.isArray(groups)) return []
  return groups.flatMap((group, index) =>
    group === '' ? [requiredField(`spec.groups[${index}]`, 'name a group')] : [],
  )
}
