import { duplicateField, type FieldError, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import { placeId } from '../managed-secret.ts'
import { validateLabel, validateSubdomain } from '../names.ts'
import type { KubeObject } from '../object.ts'

const accessKeyTypes: readonly string[] = [
  'User',
  'Login',
  'Other',
  'Reset',
  'OIDCRefreshToken',
  'NetworkPeer',
  'Workspace',
]

/** 100 years of 365 days. Dates end after a few hundred thousand years. */
const longestTtlSeconds = 100 * 365 * 24 * 3600

/** Rules beyond the schema that apply to every writer of a key. */
export function validateAccessKey({ spec }: KubeObject): readonly FieldError[] {
  if (typeof spec !== 'object' || spec === null) return []
  return [
    ...('ttl' in spec ? validateTtl(spec.ttl) : []),
    ...('type' in spec ? validateType(spec.type) : []),
    ...('groups' in spec ? validateGroups(spec.groups) : []),
    ...('managedSecrets' in spec ? validateManagedSecrets(spec.managedSecrets) : []),
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

const mostManagedSecrets = 32
const entryName = /^[-._a-zA-Z0-9]{1,253}$/

/** The names become parts of paths. */
function validateManagedSecrets(secrets: unknown): readonly FieldError[] {
  if (!Array.isArray(secrets)) return []
  if (secrets.length > mostManagedSecrets) {
    const problem = `must be no more than ${mostManagedSecrets}`
    return [invalidField('spec.managedSecrets', secrets.length, problem)]
  }
  const seen = new Set<string>()
  return secrets.flatMap((secret, index) => {
    const field = `spec.managedSecrets[${index}]`
    const errors = validatePlace(secret, field)
    if (errors.length > 0) return errors
    const id = placeId(secret)
    if (seen.has(id)) return [duplicateField(field, id)]
    seen.add(id)
    return []
  })
}

function validatePlace(place: unknown, field: string): readonly FieldError[] {
  if (typeof place !== 'object' || place === null) return []
  const { cluster = '', namespace = '', name = '', entry = '' } = { ...place }
  const named = (member: string, value: string, problems: readonly string[]) =>
    value === ''
      ? [requiredField(`${field}.${member}`)]
      : problems.map((problem) => invalidField(`${field}.${member}`, value, problem))
  return [
    ...(cluster === '' ? [] : named('cluster', String(cluster), validateSubdomain(String(cluster)))),
    ...named('namespace', String(namespace), validateLabel(String(namespace))),
    ...named('name', String(name), validateSubdomain(String(name))),
    ...(entry === '' || entryName.test(String(entry))
      ? []
      : [invalidField(`${field}.entry`, entry, "must consist of letters, digits, '-', '_' and '.'")]),
  ]
}
