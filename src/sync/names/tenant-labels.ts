import type { LabelTranslator } from '../../patches/contract.ts'
import { markLabels } from './markers.ts'
import type { TenantIdentity } from './names.ts'

/** Labels keep their keys on the host, and selectors mean objects of the tenant alone. */
export function tenantLabels(identity: TenantIdentity): LabelTranslator {
  return { toHost: (key) => key, toVirtual: (key) => key, narrowing: markLabels({ identity }) }
}
