import { shown } from '../../api/tenant-config/wording.ts'
import type { FieldRule } from './contract.ts'

const opaque = 'Opaque'

/** Types that only say how the data is laid out. */
const plainTypes: ReadonlySet<string> = new Set([
  opaque,
  'kubernetes.io/tls',
  'kubernetes.io/dockerconfigjson',
  'kubernetes.io/dockercfg',
  'kubernetes.io/basic-auth',
  'kubernetes.io/ssh-auth',
])

/** Notes of a client, which nobody misses on the host. */
const ofClients: ReadonlySet<string> = new Set(['helm.sh/release.v1'])

/** Other types make a credential or a record of somebody's of a Secret, by being there. */
export const secretsRule: FieldRule = (fields) => {
  const { type } = fields
  if (type === undefined || (typeof type === 'string' && plainTypes.has(type))) return { fields, refusals: [] }
  const carried = { ...fields, type: opaque }
  if (ofClients.has(String(type))) return { fields: carried, refusals: [] }
  const reason = `components of a host may act on ${shown(String(type))}, so the copy is of type ${opaque}`
  return {
    fields: carried,
    refusals: [{ rule: 'secretTypes', field: 'type', reason, remedy: 'a patch of type sets it' }],
  }
}
