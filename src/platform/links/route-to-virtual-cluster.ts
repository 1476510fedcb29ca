import { serviceUnavailable, unreachable } from '../../api/error.ts'
import { linkLimits } from '../../api/link-limits.ts'
import { projectNamespace } from '../../auth/scope/request.ts'
import type { Forwarder } from '../../client/forward/contract.ts'
import type { LinkIndex } from '../virtual-clusters/link-index.ts'
import type { Link } from './link.ts'
import type { Links } from './links.ts'
import type { Relay } from './relay.ts'
import type { Replicas } from './replicas.ts'

export interface VirtualClusterRouteParts {
  readonly links: Links
  readonly index: LinkIndex
  readonly replicas: Replicas
  readonly relay: Relay
}

/** The link of a virtual cluster, at this or another replica. Throws if none exists. */
export function routeToVirtualCluster(
  { links, index, replicas, relay }: VirtualClusterRouteParts,
  project: string,
  name: string,
): Forwarder {
  const link = links.find(project, name)
  if (link !== undefined && !link.isEnding) return unlessBusy(link)
  const state = index.get(projectNamespace(project), name)
  const address = state === undefined ? undefined : replicas.addressOf(state.replica)
  if (address !== undefined && state?.replica !== replicas.ownName) {
    return { forward: (request) => relay.forward(address, { project, name }, request) }
  }
  if (link !== undefined) return unlessBusy(link)
  throw unreachable(
    `the virtual cluster ${JSON.stringify(name)} of project ${JSON.stringify(project)} is offline: ${lastSeen(state?.lastHeartbeat)}`,
  )
}

function lastSeen(heartbeat = ''): string {
  return heartbeat === '' ? 'it has not linked itself yet' : `last seen ${heartbeat}`
}

function unlessBusy(link: Link): Forwarder {
  requireNotBusy(link)
  return link
}

/** Throws a 503 if as many requests are under way on the link as it may carry. */
export function requireNotBusy({ openStreams }: Pick<Link, 'openStreams'>): void {
  if (openStreams < linkLimits.maxOpenStreams) return
  throw serviceUnavailable('too many requests are under way to this virtual cluster', 1)
}
