import type { SyncKind } from '../contract.ts'

/** Set by every server to the name, which is another one on the host. */
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
