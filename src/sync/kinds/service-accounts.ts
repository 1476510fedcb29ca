import type { LocalObjectReference } from '../../api/types/core-v1.ts'
import type { SyncKind } from '../contract.ts'
import { checkedObjectsIn } from './lists.ts'

/** Secrets with tokens of an account belong to the server that created them; those for images are synced. */
export const serviceAccountsSync: SyncKind = {
  id: 'serviceAccounts',
  group: '',
  resource: 'serviceaccounts',
  leavesOut: ({ metadata }, { names }) =>
    names.multiNamespace && metadata.name === 'default' ? 'every namespace of the host has its own' : undefined,
  toHost: ({ imagePullSecrets, automountServiceAccountToken, metadata }, { names }) => ({
    automountServiceAccountToken,
    imagePullSecrets: checkedObjectsIn<LocalObjectReference>(imagePullSecrets)?.map(({ name, ...rest }) =>
      name === undefined ? rest : { ...rest, name: names.of(metadata.namespace ?? '', name).name },
    ),
  }),
  closedFields: ['imagePullSecrets', 'automountServiceAccountToken'],
  references: ({ imagePullSecrets, metadata: { namespace = '' } }) =>
    (checkedObjectsIn<LocalObjectReference>(imagePullSecrets) ?? []).flatMap(({ name }) =>
      name === undefined ? [] : [{ apiVersion: 'v1', kind: 'Secret', namespace, name }],
    ),
  refersTo: [{ group: '', resource: 'secrets' }],
}
