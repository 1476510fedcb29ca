import type { Exchange } from '../server/exchange.ts'
import type { RequestFlow } from '../server/fairness/contract.ts'
import { readRelayPath } from './links/relay-wire.ts'
import { replicaUser } from './links/replica-secret.ts'

const linkRoles: ReadonlySet<string> = new Set(['tenant', 'agent'])

/**
 * Registrations, links and reports of virtual clusters and host clusters form a flow of their own, so that no user can
 * crowd them out. Requests relayed by another replica are shared out by virtual cluster.
 */
export function knownFlow({ caller, onward, request }: Exchange): RequestFlow | undefined {
  if (caller === replicaUser) {
    const { project = '', name = '' } = readRelayPath(request.url) ?? {}
    return { level: 'relayed', owner: `${project}/${name}`, key: '' }
  }
  const { credential } = caller
  const roles = credential?.scope?.source.roles ?? []
  const isLink = onward === undefined && roles.some(({ role = '' }) => linkRoles.has(role))
  return isLink ? { level: 'links', owner: caller.name, key: credential?.keyUid ?? '' } : undefined
}
