export type Labels = Readonly<Record<string, string>>

export interface Metadata {
  readonly name: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly labels?: Labels
  readonly annotations?: Labels
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly unknown[]
  readonly managedFields?: readonly unknown[]
}

/** An object of either world, reduced to the fields that tests use. */
export interface Thing {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: Metadata
  readonly [field: string]: unknown
}

/** An object to create: the server adds the rest. */
export interface Draft {
  readonly metadata: Omit<Metadata, 'uid' | 'resourceVersion'>
  readonly [field: string]: unknown
}

/** The collection of a kind. */
export interface Collection {
  readonly apiVersion: string
  readonly kind: string
  readonly plural: string
}

export const endpoints: Collection = { apiVersion: 'v1', kind: 'Endpoints', plural: 'endpoints' }
export const services: Collection = { apiVersion: 'v1', kind: 'Service', plural: 'services' }
export const configMaps: Collection = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps' }
export const secrets: Collection = { apiVersion: 'v1', kind: 'Secret', plural: 'secrets' }
export const serviceAccounts: Collection = { apiVersion: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts' }
export const pods: Collection = { apiVersion: 'v1', kind: 'Pod', plural: 'pods' }
export const claims: Collection = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims' }
export const ingresses: Collection = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', plural: 'ingresses' }
export const networkPolicies: Collection = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
}
export const events: Collection = { apiVersion: 'v1', kind: 'Event', plural: 'events' }

export function collectionPath({ apiVersion, plural }: Collection, namespace: string): string {
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  return namespace === '' ? `${group}/${plural}` : `${group}/namespaces/${namespace}/${plural}`
}

export function oneAddress(ip: string, port = 80) {
  return [{ addresses: [{ ip }], ports: [{ name: 'http', port, protocol: 'TCP' }] }]
}
