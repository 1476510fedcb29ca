import { isJsonObject } from '../../base/json/member.ts'
import type { FieldRule, Refusal } from './contract.ts'

const judged = ['selector', 'dataSource', 'dataSourceRef', 'storageClassName']

const reasons: Readonly<Record<string, string>> = {
  selector: 'it would choose among the volumes of the host',
  storageClassName: 'without a class it would take a volume of the host that was made by hand',
}

/** A claim may neither select an existing volume of the host nor start with data that is not the tenant's. */
export const claimsRule: FieldRule = (fields) => {
  if (!isJsonObject(fields.spec)) return { fields, refusals: [] }
  const { spec } = fields
  const refused = judged.filter((name) => spec[name] !== undefined && !isTenants(name, spec[name]))
  const kept = Object.fromEntries(Object.entries(spec).filter(([name]) => !refused.includes(name)))
  return { fields: { ...fields, spec: kept }, refusals: refused.map(refusalOf) }
}

/** A claim of the tenant's own has been named as on the host. A class makes a new volume, as a rule. */
function isTenants(name: string, value: unknown): boolean {
  if (name === 'storageClassName') return value !== ''
  return name !== 'selector' && isJsonObject(value) && value.kind === 'PersistentVolumeClaim' && !value.namespace
}

function refusalOf(name: string): Refusal {
  const ofHost = 'it names something of the host; only claims of the same namespace can be copied'
  return {
    rule: 'claims',
    field: `spec.${name}`,
    reason: reasons[name] ?? ofHost,
    remedy: 'only the operator can make such a claim, on the host',
  }
}
