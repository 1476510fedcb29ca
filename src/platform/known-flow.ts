import type { Exchange } from '../server/exchange.ts'
import type { RequestFlow } from '../server/fairness/contract.ts'
import { readRelayPath } from './links/relay-wire.ts'
import { replicaUser } from './links/replica-secret.ts'

const linkRoles: ReadonlySet<string> = new Set(['tenant', 'agent'])

/**
 * Virtual clusters and host clusters register, link and report among themselves, so that no user keeps them from it. What
 * another replica passes on is shared out by the virtual cluster that it is for.
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
