import { builtinKinds } from '../../../../src/api/builtin-kinds.ts'
import { startTestServer } from '../../../support/clusters/api-server.ts'
import { type Access, ClusterClient } from '../../../sync/support/cluster-client.ts'

export interface World {
  readonly server: Access & { readonly port: number }
  readonly client: ClusterClient
  remove(): Promise<void>
}

/** With all kinds of Kubernetes. */
export async function startWorld(): Promise<World> {
  const server = await startTestServer({ kinds: builtinKinds() })
  const access = { url: server.url, port: server.port, token: 'admin-token', authority: server.authority }
  const client = new ClusterClient(access)
  return { server: access, client, remove: () => client.close().then(() => server.stop()) }
}
