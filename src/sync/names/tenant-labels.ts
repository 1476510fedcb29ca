import type { LabelTranslator } from '../../patches/contract.ts'
import { markLabels } from './markers.ts'
import type { TenantPlace } from './names.ts'

/** Labels keep their keys on the host, and selectors match only objects of the tenant. */
export function tenantLabels(identity: TenantPlace): LabelTranslator {
  return { toHost: (key) => key, toVirtual: (key) => key, narrowing: markLabels({ identity }) }
}
