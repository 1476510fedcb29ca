import { jsonText } from '../base/json/json-text.ts'
/** Access to one API server. */
export interface KubeconfigContext {
  readonly name: string
  readonly server: string
  /** PEM. */
  readonly certificateAuthority: string
  readonly token: string
}

/** A kubeconfig as JSON, which every YAML parser accepts. */
export function printKubeconfig(contexts: readonly KubeconfigContext[]): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: contexts.map(({ name, server, certificateAuthority }) => ({
      name,
      cluster: { server, 'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64') },
    })),
    users: contexts.map(({ name, token }) => ({ name: `${name}-admin`, user: { token } })),
    contexts: contexts.map(({ name }) => ({ name, context: { cluster: name, user: `${name}-admin` } })),
    'current-context': contexts[0]?.name ?? '',
  }
  return jsonText(config)
}
