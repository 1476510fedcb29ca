import type { Kind } from '../kind.ts'
import { clusterKind } from './cluster.ts'
import { connectorKind } from './connectors/connector.ts'
import { oidcClientKind } from './oidc-client.ts'
import { ownedAccessKeyKind } from './owned-access-key.ts'
import { projectKind } from './project.ts'
import { spaceInstanceKind } from './space-instance.ts'
import { teamKind } from './team.ts'
import { trustedIssuerKind } from './trusted-issuer.ts'
import { userKind } from './user.ts'
import { virtualClusterInstanceKind } from './virtual-cluster-instance.ts'

const makers: readonly ((domain: string) => Kind)[] = [
  ownedAccessKeyKind,
  projectKind,
  spaceInstanceKind,
  virtualClusterInstanceKind,
  clusterKind,
  userKind,
  teamKind,
  connectorKind,
  trustedIssuerKind,
  oidcClientKind,
]

/** The platform's own kinds, in the group `management.<domain>`. */
export function managementKinds(domain: string): readonly Kind[] {
  return makers.map((make) => make(domain))
}
