import type { Kind } from '../api/kind.ts'
import type { Hooks, ResourceContext } from '../registry/context.ts'
import { accessKeyHooks } from './access-keys/admission/hooks.ts'
import type { KeyParts } from './access-keys/parts.ts'
import type { MemberViews } from './member-views/member-views.ts'
import { withOwnerReferenceRights } from './owner-reference-rights.ts'
import { withGroupsWarning } from './owners/groups-warning.ts'
import { connectorHooks, oidcClientHooks, teamHooks, trustedIssuerHooks, userHooks } from './owners/hooks.ts'
import { grantingKinds } from './projects/access-grants.ts'
import { withAllowedClusters } from './projects/allowed-clusters.ts'
import { grantingHooks } from './projects/granting-hooks.ts'
import { withPlacing } from './proxy/placing-hooks.ts'
import type { Quotas } from './quotas/quotas.ts'
import { withOnePlace } from './virtual-clusters/one-place.ts'
import { withOwnStatus } from './virtual-clusters/own-status.ts'

export interface ManagementHookParts {
  readonly keyParts: KeyParts
  readonly quotas: Quotas
  readonly contextOf: (kind: string) => ResourceContext
  readonly views: MemberViews
}

type MakeManagementHooks = (kind: Kind, parts: ManagementHookParts) => Hooks

/** By the name of the kind in the management group. */
export type ManagementHookTable = Readonly<Record<string, MakeManagementHooks>>

export const managementHooks: ManagementHookTable = {
  OwnedAccessKey: (_, { keyParts }) => accessKeyHooks(keyParts),
  Project: (kind, { views }) => viewed(kind, grantingHooks(kind), views),
  SpaceInstance: (kind, { contextOf, views }) => viewed(kind, placedHooks(kind, contextOf), views),
  VirtualClusterInstance: (kind, { contextOf, views }) =>
    withOwnStatus(
      kind,
      withOnePlace(viewed(kind, placedHooks(kind, contextOf), views), () => contextOf(kind.kind)),
    ),
  Cluster: (kind, { views }) => viewed(kind, withPlacing(kind, grantingHooks(kind)), views),
  User: (kind, { keyParts, views }) => viewed(kind, userHooks(kind, keyParts.directory, keyParts.index), views),
  Team: (kind, { keyParts, views }) => viewed(kind, teamHooks(kind, keyParts.index), views),
  Connector: (kind, { contextOf, keyParts }) =>
    withGroupsWarning(connectorHooks(kind, keyParts.index), () => contextOf(kind.kind)),
  TrustedIssuer: (kind, { keyParts }) => trustedIssuerHooks(kind, keyParts.index),
  OIDCClient: (kind, { keyParts }) => oidcClientHooks(kind, keyParts.index),
}

/** For kinds that a project places on clusters. */
function placedHooks(kind: Kind, contextOf: ManagementHookParts['contextOf']): Hooks {
  return withAllowedClusters(kind, withPlacing(kind, grantingHooks(kind)), () => contextOf('Project'))
}

/** Lists and watches show users who may not list all objects those that they may get. */
function viewed(kind: Kind, hooks: Hooks, views: MemberViews): Hooks {
  return { ...hooks, listVisibility: (user, asked) => views.visibility(kind, user, asked) }
}

/** Hooks of the platform for its own kinds; undefined for other kinds. */
export function managementHooksFor(
  kind: Kind,
  table: ManagementHookTable,
  parts: ManagementHookParts,
): Hooks | undefined {
  if (kind.group !== parts.keyParts.environment.managementGroup) return undefined
  const hooks = table[kind.kind]?.(kind, parts)
  return hooks && parts.quotas.limiting(kind, withOwnerReferenceRights(kind, hooks, isGranting(kind)))
}

function isGranting({ kind }: Kind): boolean {
  return grantingKinds.some((each) => each === kind)
}
