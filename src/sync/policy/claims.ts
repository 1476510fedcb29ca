import { isJsonObject } from '../../base/json/member.ts'
import type { FieldRule, Refusal } from './contract.ts'

const sources = ['dataSource', 'dataSourceRef'] as const

/** A claim may neither select an existing volume of the host nor start with data that is not the tenant's. */
export const claimsRule: FieldRule = (fields) => {
  if (!isJsonObject(fields.spec)) return { fields, refusals: [] }
  const { spec } = fields
  const refused = ['selector', ...sources].filter((name) => spec[name] !== undefined && !isOwn(name, spec[name]))
  const kept = Object.fromEntries(Object.entries(spec).filter(([name]) => !refused.includes(name)))
  return { fields: { ...fields, spec: kept }, refusals: refused.map(refusalOf) }
}

/** A claim of the tenant's own has been named as on the host. */
function isOwn(name: string, source: unknown): boolean {
  return name !== 'selector' && isJsonObject(source) && source.kind === 'PersistentVolumeClaim' && !source.namespace
}

function refusalOf(name: string): Refusal {
  const reason =
    name === 'selector'
      ? 'it would choose among the volumes of the host'
      : 'it names something of the host; only claims of the same namespace can be copied'
  return {
    rule: 'claims',
    field: `spec.${name}`,
    reason,
    remedy: 'only the operator can make such a claim, on the host',
  }
}
