import type { ProcessTokens } from '../../../auth/process-tokens.ts'
import type { Log } from '../../../base/log.ts'
import type { ClusterAccess } from '../../../client/kubeconfig/contract.ts'
import { adminUser } from '../../../cluster/identity/kept-secret.ts'
import type { RunningServer } from '../../../cluster/start-server.ts'
import { accessFromKubeconfig, administratorKubeconfig, clientOf } from '../clients.ts'
import { embeddedHostId } from './host-mark.ts'
import type { UpHost } from './up-host.ts'

/** Access to a server of this process, for one of its parts. */
export async function ownAccess(ownTokens: ProcessTokens, server: RunningServer, part: string): Promise<ClusterAccess> {
  const token = ownTokens.issue({ name: `system:tenant-up:${part}`, groups: adminUser.groups })
  const access = await accessFromKubeconfig('own', administratorKubeconfig('own', server, token))
  return { ...access, local: server.local }
}

/** The embedded host, which belongs to this process. */
export async function embeddedHost(server: RunningServer, ownTokens: ProcessTokens, log: Log): Promise<UpHost> {
  return {
    id: embeddedHostId,
    url: server.url,
    displayName: 'Embedded host',
    client: clientOf(await ownAccess(ownTokens, server, 'host'), log),
    accessOf: ({ namespace, tenant }) => ownAccess(ownTokens, server, `${namespace}:${tenant}`),
    kubeconfig: administratorKubeconfig('host', server, ownTokens.issue(adminUser)),
  }
}
