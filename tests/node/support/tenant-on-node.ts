import { type Kubectl, kubectlOn } from '../../support/programs/kubectl.ts'
import { askForShared, releaseShared } from '../../support/shared/ask-for-shared.ts'
import type { SharedNode } from '../../support/shared/contract.ts'
import { ClusterClient } from '../../sync/support/cluster-client.ts'
import { endpoints, services } from '../../sync/support/objects.ts'
import { createSyncer, type Syncer } from '../../sync/support/syncer.ts'
import { accessIn } from '../../sync/support/tenant-on-host.ts'

export interface TenantOnNode {
  readonly name: string
  readonly hostNamespace: string
  readonly node: SharedNode
  readonly syncer: Syncer
  readonly host: ClusterClient
  readonly virtual: ClusterClient
  /** kubectl of the node's version, in the virtual cluster and on its host. */
  readonly inside: Kubectl
  readonly onHost: Kubectl
  remove(): Promise<void>
}

export interface TenantPlaceOnNode {
  readonly tenant: string
  readonly hostNamespace: string
  /** The index of its port beside the node's: one for each concurrent tenant, from 0 to 9. */
  readonly place: number
  /** tenant.yaml as data. */
  readonly config?: object
}

/** The node uses several ports after its first. */
const firstPort = 20
const firstDnsPort = 8053

/** A tenant whose process runs beside the shared node, where Pods reach it. */
export async function startTenantOnNode(options: TenantPlaceOnNode): Promise<TenantOnNode> {
  const { tenant, hostNamespace, place, config = {} } = options
  const node = await askForShared('node')
  const host = new ClusterClient(node)
  await host.ensureNamespace(hostNamespace)
  const served = {
    ip: node.address,
    port: Number(new URL(node.url).port) + firstPort + place,
    dns: firstDnsPort + place,
  }
  await leadTo(host, options, served)
  const flags = ['--host', served.ip, '--port', String(served.port)]
  flags.push('--dns-host', served.ip, '--dns-port', String(served.dns))
  const syncer = createSyncer({ tenant, hostNamespace, host: node, config: JSON.stringify(config), flags })
  await syncer.start()
  const virtual = new ClusterClient(accessIn(syncer.kubeconfig))
  return {
    name: tenant,
    hostNamespace,
    node,
    syncer,
    host,
    virtual,
    inside: kubectlOn(node.kubectl, syncer.kubeconfig),
    onHost: kubectlOn(node.kubectl, node.kubeconfig),
    remove: async () => {
      await virtual.close()
      await syncer.remove()
      await host.close()
      await releaseShared('node')
    },
  }
}

interface Served {
  readonly ip: string
  readonly port: number
  readonly dns: number
}

/** The Service of the tenant, as `tenant create` makes it, but leading to a process beside the node. */
async function leadTo(host: ClusterClient, where: TenantPlaceOnNode, { ip, port, dns }: Served): Promise<void> {
  const metadata = { namespace: where.hostNamespace, name: where.tenant }
  const named = [
    { name: 'https', port: 443, target: port, protocol: 'TCP' },
    { name: 'dns', port: 53, target: dns, protocol: 'UDP' },
    { name: 'dns-tcp', port: 53, target: dns, protocol: 'TCP' },
  ]
  const ports = named.map(({ target, ...each }) => ({ ...each, targetPort: target }))
  await host.create(services, { metadata, spec: { ports } })
  const targets = named.map(({ name, target, protocol }) => ({ name, port: target, protocol }))
  await host.create(endpoints, { metadata, subsets: [{ addresses: [{ ip }], ports: targets }] })
}
