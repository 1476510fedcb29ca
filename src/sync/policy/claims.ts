import type { SyncPolicies } from '../../api/tenant-config/types.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { FieldRule, Refusal } from './contract.ts'
import { allowedWith } from './remedy.ts'

const judged = ['selector', 'dataSource', 'dataSourceRef', 'storageClassName', 'volumeAttributesClassName'] as const

type Judged = (typeof judged)[number]

/**
 * A claim may neither select an existing volume of the host nor start with data that is not the tenant's. Refused
 * fields are dropped without holding the claim back, because an existing copy would be deleted with its data.
 */
export const claimsRule: FieldRule = (fields, { policies }) => {
  if (!isJsonObject(fields.spec)) return { fields, refusals: [] }
  const { spec } = fields
  const refusals = judged.flatMap((name) => {
    const refused = spec[name] === undefined ? undefined : whyRefused(name, spec[name], policies)
    return refused === undefined ? [] : [{ name, refused }]
  })
  const names = new Set<string>(refusals.map(({ name }) => name))
  const kept = Object.fromEntries(Object.entries(spec).filter(([name]) => !names.has(name)))
  return { fields: { ...fields, spec: kept }, refusals: refusals.map(({ refused }) => refused) }
}

function whyRefused(name: Judged, value: unknown, policies: SyncPolicies): Refusal | undefined {
  switch (name) {
    case 'selector':
      return refusalOf(name, 'it would choose among the volumes of the host')
    case 'storageClassName':
      return value === ''
        ? refusalOf(name, 'without a class it would take a volume of the host that was made by hand')
        : refusedStorage(value, policies.storageClasses.allowed)
    case 'volumeAttributesClassName':
      return value === '' ? undefined : refusedAttributes(value, policies.volumeAttributesClasses.allowed)
    default:
      return isOwnClaim(value)
        ? undefined
        : refusalOf(name, 'it names something of the host; only claims of the same namespace can be copied')
  }
}

/** The tenant's own claims already have their names on the host. */
function isOwnClaim(source: unknown): boolean {
  return isJsonObject(source) && source.kind === 'PersistentVolumeClaim' && !source.namespace
}

function isAmongClasses(value: unknown, allowed: readonly string[]): boolean {
  return allowed.includes('*') || allowed.some((name) => name === value)
}

function refusedAttributes(value: unknown, allowed: readonly string[]): Refusal | undefined {
  if (isAmongClasses(value, allowed)) return undefined
  return {
    rule: 'volumeAttributesClasses',
    field: 'spec.volumeAttributesClassName',
    reason: 'the class is not among those that tenants may ask for, so the volume has what its storage class gives',
    remedy: allowedWith('volumeAttributesClasses.allowed'),
  }
}

function refusedStorage(value: unknown, allowed: readonly string[]): Refusal | undefined {
  if (isAmongClasses(value, allowed)) return undefined
  return {
    rule: 'storageClasses',
    field: 'spec.storageClassName',
    reason: 'the class is not among those that tenants may ask for, so the claim gets the default class of the host',
    remedy: allowedWith('storageClasses.allowed'),
  }
}

function refusalOf(name: Judged, reason: string): Refusal {
  return {
    rule: 'claims',
    field: `spec.${name}`,
    reason,
    remedy: 'only the operator can make such a claim, on the host',
  }
}
