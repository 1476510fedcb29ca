import { type FieldError, invalidField, notSupportedField } from '../field-error.ts'
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

/** Rules that hold whoever writes the key, beyond its schema. */
export function validateAccessKey({ spec }: KubeObject): readonly FieldError[] {
  if (typeof spec !== 'object' || spec === null) return []
  return [...('ttl' in spec ? validateTtl(spec.ttl) : []), ...('type' in spec ? validateType(spec.type) : [])]
}

function validateTtl(ttl: unknown): readonly FieldError[] {
  if (typeof ttl !== 'number' || ttl >= 0) return []
  return [invalidField('spec.ttl', ttl, 'must be greater than or equal to 0')]
}

function validateType(type: unknown): readonly FieldError[] {
  if (typeof type !== 'string' || type === '' || accessKeyTypes.includes(type)) return []
  return [notSupportedField('spec.type', type, accessKeyTypes)]
}
