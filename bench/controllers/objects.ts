export const nodeName = 'bench'

export function deploymentOf(
  name: string,
  replicas: number,
  more: { readonly image?: string; readonly node?: string } = {},
) {
  const { image = 'example/web:1', node } = more
  const labels = { app: name }
  const containers = [{ name: 'main', image }]
  const spec = { containers, automountServiceAccountToken: false, ...(node !== undefined && { nodeName: node }) }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  }
}

export function serviceOf(name: string) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ port: 80 }] },
  }
}

export const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName } }

export const deploymentsIn = (namespace: string) => `/apis/apps/v1/namespaces/${namespace}/deployments`
export const podsIn = (namespace: string) => `/api/v1/namespaces/${namespace}/pods`
export const servicesIn = (namespace: string) => `/api/v1/namespaces/${namespace}/services`
