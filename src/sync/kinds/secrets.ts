import type { SyncKind } from '../contract.ts'

const opaque = 'Opaque'

/** The host has no such ServiceAccount, and its controllers would remove the copy. */
const tokenType = 'kubernetes.io/service-account-token'

export const secretsSync: SyncKind = {
  id: 'secrets',
  group: '',
  resource: 'secrets',
  hidesValues: true,
  toHost: ({ type, data, immutable }) => ({ type: type === tokenType ? opaque : type, data, immutable }),
  closedFields: ['type', 'data', 'immutable'],
  withDefaults: ({ type, ...rest }) => ({ ...rest, type: type ?? opaque }),
}
