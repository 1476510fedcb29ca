import { asMembers } from '../../../base/json/lenient.ts'
import type { RunningTenant } from '../../../cluster/virtual-cluster/start-tenant.ts'
import { serviceManifest } from '../../create/manifests/all.ts'
import type { TenantDeployment } from '../../create/manifests/contract.ts'
import { objectLabels } from '../../create/manifests/labels.ts'
import type { Manifest } from '../../host/manifest.ts'

type Served = Pick<TenantDeployment, 'name' | 'namespace' | 'config'>

/** The Service of a virtual cluster that runs in this process: it has no Pod. */
export function localService(deployment: Served): Manifest {
  const { spec, ...service } = serviceManifest(deployment)
  const { selector: _, ...others } = asMembers(spec)
  return { ...service, spec: others }
}

/** The Endpoints of that Service, which replace its Pods. */
export function localEndpoints({ name, namespace }: Served, address: string, ports: LocalPorts): Manifest {
  const { https, dns } = ports
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name, namespace, labels: objectLabels({ name, namespace }) },
    subsets: [
      {
        addresses: [{ ip: address }],
        ports: [{ name: 'https', port: https, protocol: 'TCP' }, ...(dns === undefined ? [] : dnsPorts(dns))],
      },
    ],
  }
}

export interface LocalPorts {
  readonly https: number
  readonly dns: number | undefined
}

export function portsOf({ controlPlane, dnsPort }: RunningTenant): LocalPorts {
  return { https: Number(new URL(controlPlane?.url ?? 'https://localhost').port), dns: dnsPort }
}

function dnsPorts(port: number) {
  return [
    { name: 'dns', port, protocol: 'UDP' },
    { name: 'dns-tcp', port, protocol: 'TCP' },
  ]
}
