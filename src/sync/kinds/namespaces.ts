import type { SyncKind } from '../contract.ts'

/** Every server sets this label to the name, which differs on the host. */
const nameLabel = 'kubernetes.io/metadata.name'

/** Namespaces that are mapped to one of the host. */
export const namespacesSync: SyncKind = {
  id: 'namespaces',
  group: '',
  resource: 'namespaces',
  hostName: ({ name }, { names }) => {
    const mapped = names.namespaceOf(name)
    return mapped === undefined ? undefined : { namespace: '', name: mapped }
  },
  staysOnItsSide: (key) => key === nameLabel,
  toHost: () => ({}),
  closedFields: [],
}
