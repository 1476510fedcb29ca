import type { KubeObject } from '../../api/object.ts'
import type { ObjectFields, SyncKind } from '../contract.ts'

const opaque = 'Opaque'

/** The other side has no such ServiceAccount, and its controllers would delete the Secret. */
const tokenType = 'kubernetes.io/service-account-token'

export const secretsSync: SyncKind = {
  id: 'secrets',
  group: '',
  resource: 'secrets',
  hidesValues: true,
  staysWhileNamed: true,
  toHost: carried,
  imported: carried,
  closedFields: ['type', 'data', 'immutable'],
  withDefaults: ({ type, ...rest }) => ({ ...rest, type: type ?? opaque }),
  whyAnew: (wanted, copy) =>
    (wanted.type ?? opaque) === (copy.type ?? opaque) ? undefined : 'the type of a Secret cannot be changed',
}

function carried({ type, data, immutable }: KubeObject): ObjectFields {
  return { type: type === tokenType ? opaque : type, data, immutable }
}
