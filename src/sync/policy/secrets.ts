import { isActedOnPrefix } from '../../api/host-controllers.ts'
import { shown } from '../../api/tenant-config/wording.ts'
import type { FieldRule } from './contract.ts'

const opaque = 'Opaque'

/** Types of Kubernetes that only define the layout of the data. */
const layouts: ReadonlySet<string> = new Set([
  'kubernetes.io/tls',
  'kubernetes.io/dockerconfigjson',
  'kubernetes.io/dockercfg',
  'kubernetes.io/basic-auth',
  'kubernetes.io/ssh-auth',
])

/** Records that a client keeps for itself and that the host does not need. */
const ofClients: ReadonlySet<string> = new Set(['helm.sh/release.v1'])

/** A Secret of another type of Kubernetes or of a controller acts as a credential or a record as soon as it exists. */
export const secretsRule: FieldRule = (fields) => {
  const { type } = fields
  if (typeof type !== 'string' || layouts.has(type) || !isActedOnPrefix(type)) return { fields, refusals: [] }
  const carried = { ...fields, type: opaque }
  if (ofClients.has(type)) return { fields: carried, refusals: [] }
  const reason = `components of a host may act on ${shown(type)}, so the copy is of type ${opaque}`
  return {
    fields: carried,
    refusals: [{ rule: 'secretTypes', field: 'type', reason, remedy: 'a patch of type sets it' }],
  }
}
