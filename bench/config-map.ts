export const namespace = 'bench'
export const collectionPath = `/api/v1/namespaces/${namespace}/configmaps`

/** A typical ConfigMap of an application: a few labels, a few settings, a small file. About 700 bytes when stored. */
export function configMap(name: string, revision = 0): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { app: 'bench', tier: `tier-${name.length % 3}` } },
    data: {
      revision: String(revision),
      endpoint: 'https://service.internal:8443/api',
      'app.properties': 'log.level=info\nretries=3\ntimeout=30s\ncache.size=1024\nfeature.new-menu=true\n',
    },
  })
}

export function objectName(index: number): string {
  return `settings-${String(index).padStart(6, '0')}`
}

export function objectPath(name: string): string {
  return `${collectionPath}/${name}`
}
