/** Objects as the tests send them. */
export function configMap(name: string, data: object, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data }
}

export function service(name: string, ports: readonly object[], metadata: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, ...metadata },
    spec: { selector: { app: name }, ports },
  }
}

export function accessKey(name: string, spec: object, metadata: object = {}): object {
  return {
    apiVersion: 'management.platform.internal/v1',
    kind: 'OwnedAccessKey',
    metadata: { name, ...metadata },
    spec,
  }
}

export function node(name: string, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, ...metadata } }
}

/** Several objects in one input. */
export function listOf(...items: readonly object[]): object {
  return { apiVersion: 'v1', kind: 'List', items }
}

export interface Owner {
  readonly name: string
  readonly uid: string
}

export function ownedBy(...owners: readonly Owner[]): object {
  const reference = ({ name, uid }: Owner) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name,
    uid,
    blockOwnerDeletion: true,
  })
  return { ownerReferences: owners.map(reference) }
}
