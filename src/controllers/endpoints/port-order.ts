import { hash } from 'node:crypto'
import type { EndpointPort } from '../../api/types/core-v1.ts'

/** Longer lists keep their order. */
const mostOrdered = 1_000

/**
 * Ports in the order in which Kubernetes shows them in Endpoints: by the MD5 of each port as printed by Go. Clients
 * compare whole lists.
 */
export function inShownOrder(ports: readonly EndpointPort[]): readonly EndpointPort[] {
  if (ports.length < 2 || ports.length > mostOrdered) return ports
  const digests = new Map(ports.map((port) => [port, digestOf(port)]))
  return ports.toSorted((left, right) => ((digests.get(left) ?? '') < (digests.get(right) ?? '') ? -1 : 1))
}

function digestOf({ name = '', port, protocol = 'TCP', appProtocol }: EndpointPort): string {
  const application = appProtocol === undefined ? '(*string)<nil>' : `(*string)${appProtocol}`
  const fields = `Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)${protocol} AppProtocol:${application}`
  return hash('md5', `(v1.EndpointPort){${fields}}`, 'hex')
}
