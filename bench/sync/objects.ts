export const virtualNamespace = 'bench'

export interface Sample {
  readonly path: string
  readonly body: string
}

export type Plural = 'endpoints' | 'services'
export const plurals: readonly Plural[] = ['services', 'endpoints']

export function collectionPath(plural: Plural, namespace: string): string {
  return `/api/v1/namespaces/${namespace}/${plural}`
}

export function objectName(index: number): string {
  return `app-${String(index).padStart(6, '0')}`
}

/** A Service and its Endpoints with three addresses, as in a small deployment. */
export function samplesOf(index: number, namespace = virtualNamespace): readonly Sample[] {
  const name = objectName(index)
  const labels = { app: name, tier: 'front' }
  const metadata = { namespace, name, labels, annotations: { 'example.com/owner': `team-${index % 50}` } }
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }], selector: { app: name } },
  }
  const addresses = [1, 2, 3].map((last) => ({ ip: `10.${(index >> 8) & 255}.${index & 255}.${last}` }))
  const endpoints = {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata,
    subsets: [{ addresses, ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] }],
  }
  return [
    { path: collectionPath('services', namespace), body: JSON.stringify(service) },
    { path: collectionPath('endpoints', namespace), body: JSON.stringify(endpoints) },
  ]
}
