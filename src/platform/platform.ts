import { rbacGroup } from '../api/core/rbac/role.ts'
import type { Kind } from '../api/kind.ts'
import { managementGroup } from '../api/management/management-kind.ts'
import { ownedAccessKeyKind } from '../api/management/owned-access-key.ts'
import type { Authenticator, Authorizer } from '../auth/contract.ts'
import { firstKnown } from '../auth/first-known.ts'
import { createAccessKeyAuthenticator } from '../auth/keys/authenticator.ts'
import { createSessionAuthenticator } from '../auth/keys/session-authenticator.ts'
import type { OidcGrants } from '../auth/oidc-grants.ts'
import type { RefreshIdentity, SignedOn } from '../auth/signed-on.ts'
import type { StaticTokens } from '../auth/static-tokens.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Random } from '../base/random.ts'
import type { Hooks, ResourceContext } from '../registry/context.ts'
import type { ReportError } from '../registry/controllers/controller.ts'
import type { ObjectRegistry } from '../registry/registry.ts'
import type {
  ApiServerDependencies,
  AuditRecord,
  ExtraRoute,
  HealthCheck,
  RequireAudit,
  Sessions,
} from '../server/contract.ts'
import type { PipelineStep } from '../server/pipeline.ts'
import type { ReviewResource } from '../server/reviews/contract.ts'
import { keyConfirmation } from './access-keys/key-confirmation.ts'
import { keyLimits } from './access-keys/life/key-limits.ts'
import { Orphans } from './access-keys/life/orphans.ts'
import { defaultKeySettings, type KeyParts, type KeySettings } from './access-keys/parts.ts'
import { accountOfOwner } from './access-keys/record/key-account.ts'
import type { KeysByOwner } from './access-keys/record/keys-by-owner.ts'
import { KeyUses } from './access-keys/usage/key-uses.ts'
import { type AuditOptions, createAudit } from './audit/audit.ts'
import { createTrail } from './audit/trail/trail.ts'
import { BackgroundWork } from './background-work.ts'
import { ensurePlatformObjects, required } from './bootstrap.ts'
import { consoleDirectory } from './console/console-directory.ts'
import { consolePages } from './console/pages.ts'
import type { PlatformControllerTable } from './controllers.ts'
import { feedRights } from './feeds.ts'
import type { AdminRecord } from './identity/admin-record.ts'
import { settleFirstKey } from './identity/first-key.ts'
import { knownFlow } from './known-flow.ts'
import type { LicenseHolder } from './license/license-holder.ts'
import { updateRights } from './managed-secrets/adding-rights.ts'
import { type ManagementHookTable, managementHooksFor } from './management-hooks.ts'
import { viewerOf } from './member-views/viewer.ts'
import { owningCallerOf } from './owners/caller.ts'
import { readOnward } from './proxy/onward.ts'
import { defaultQuotaSettings, type QuotaSettings } from './quotas/quota-settings.ts'
import { Quotas } from './quotas/quotas.ts'
import { createPlatformReviews, type PlatformReviewTable } from './reviews/reviews.ts'
import { createRights } from './rights-index.ts'
import { createOidcGrants } from './sessions/refresh-tokens.ts'
import { createSessions } from './sessions/sessions.ts'
import { createTeams } from './signed-on/created-teams.ts'
import { isNamedElsewhere } from './signed-on/named-elsewhere.ts'
import {
  enterUser,
  type SignedOnUser,
  type SignedOnUsersParts,
  type SignInCreates,
} from './signed-on/signed-on-users.ts'
import { createUpstreams, type OwnAddress } from './upstreams.ts'

/** Tables of what the platform adds to an API server. */
export interface PlatformTables {
  readonly kinds: (domain: string) => readonly Kind[]
  readonly hooks: ManagementHookTable
  readonly controllers: PlatformControllerTable
  readonly reviews: PlatformReviewTable
}

export interface PlatformOptions {
  readonly tables: Omit<PlatformTables, 'kinds'>
  readonly domain: string
  /** Rights of users before keys and projects are considered. */
  readonly authorizer: Authorizer
  readonly registry: ObjectRegistry
  readonly clock: Clock
  /** For durations: `monotonicClock`. */
  readonly elapsed: Clock
  readonly random: Random
  readonly settings?: Partial<KeySettings>
  readonly quotas?: Partial<QuotaSettings>
  /** Maximum interval between heartbeats in the status of a linked virtual cluster. */
  readonly heartbeatSeconds?: number
  /** Tokens the server was started with: their holders may have sessions, too. */
  readonly tokens: Pick<StaticTokens, 'holderOf'>
  /** The license that virtual clusters link under; absent: no license is needed. */
  readonly license?: LicenseHolder
  /** Absent: there is no audit log. */
  readonly audit?: AuditOptions
  readonly report: ReportError
  readonly log: Log
}

/** The parts that turn an API server into the platform: keys, owners and projects. */
export interface Platform {
  readonly authenticator: Authenticator
  /** The rights of the owner, limited to the scope of the key in use. */
  readonly authorizer: Authorizer
  /** Undefined for kinds that the platform does not extend. */
  hooksFor(kind: Kind): Hooks | undefined
  readonly reviews: readonly ReviewResource[]
  readonly extraRoutes: readonly ExtraRoute[]
  /** Recognizes requests for APIs behind the platform. */
  readonly readOnward: NonNullable<ApiServerDependencies['readOnward']>
  readonly knownFlow: NonNullable<ApiServerDependencies['knownFlow']>
  readonly sessions: Sessions
  /** Finds or creates the User for an identity at a provider. */
  readonly enterUser: (signedOn: SignedOn, creates: SignInCreates) => Promise<SignedOnUser>
  /** Sign-ins of users to applications. */
  readonly oidcGrants: OidcGrants
  /** Serves the console. */
  readonly pages: PipelineStep
  readonly healthChecks: readonly HealthCheck[]
  readonly moreMetrics: () => Promise<string>
  /** Called with every finished request. */
  readonly audit: (record: AuditRecord) => void
  /** Absent: there is no audit log to wait for. */
  readonly requireAudit: RequireAudit | undefined
  /** Begins to follow the registry, once it is loaded. */
  connect(): void
  bootstrap(): Promise<void>
  /** Turns the administrator's key into an access key. Returns the record if it replaced another one. */
  settleFirstKey(): Promise<AdminRecord | undefined>
  /** `address`: the address at which other replicas reach this one; absent if there are none. */
  startControllers(address?: OwnAddress, refresh?: RefreshIdentity): Promise<void>
  /** Announces that the replica shows another certificate. */
  announce(address: OwnAddress): Promise<void>
  /** Moves linked tenants elsewhere and ends forwarded requests. Call before the server closes. */
  drain(): Promise<void>
  stop(): Promise<void>
}

const defaultHeartbeatSeconds = 300

export function createPlatform(options: PlatformOptions): Platform {
  const { registry, clock, elapsed, random, report, tables } = options
  const group = managementGroup(options.domain)
  const settings: KeySettings = { ...defaultKeySettings, ...options.settings }
  const { maxLifetimeSeconds, usageIntervalSeconds, confirmWithinSeconds: withinSeconds } = settings
  const rights = createRights({ group, registry, authorizer: options.authorizer, maxLifetimeSeconds })
  const { environment, index, keysByOwner, directory, grants, owners, authorizer, viewChanges } = rights
  const { tokens } = options
  const known = { index, owners: directory, clock, onFlushDue: () => background.storeActivitySoon() }
  const keys = createAccessKeyAuthenticator(known)
  const confirmed = keyConfirmation({ keys, index, engine: registry.engine, withinSeconds, clock, log: options.log })
  const { authenticator } = confirmed
  const checkSession = createSessionAuthenticator({ ...known, tokens })
  const kind = ownedAccessKeyKind(options.domain)
  const { license } = options
  const reach = createUpstreams({
    group,
    registry,
    owners,
    grants,
    changesOf: (user) => viewChanges.of(viewerOf(user, directory)),
    authorizer,
    authenticator,
    clock,
    elapsed,
    random,
    license,
    report,
    heartbeatSeconds: options.heartbeatSeconds ?? defaultHeartbeatSeconds,
    limitsOf: (credential) => keyLimits(parts, credential),
  })
  const contextOf = (kind: string) => required(registry, group, kind)
  const roleContextOf = (kind: string) => required(registry, rbacGroup, kind)
  const keyContext = () => contextOf('OwnedAccessKey')
  const uses = new KeyUses({ store: registry.engine.store, index, intervalSeconds: usageIntervalSeconds })
  const parts: KeyParts = {
    kind,
    index,
    keysByOwner,
    uses,
    directory,
    authorizer,
    environment,
    clock,
    random,
    settings,
    storedKey: (name) => keyContext().cache.get({ namespace: '', name }),
    isStored: (kind, id) => contextOf(kind).cache.get(id) !== undefined,
    secrets: {
      find: (place) => reach.managedSecrets.find(place),
      requireUpdate: updateRights(reach.askInside),
    },
  }
  const quotaSettings = { ...defaultQuotaSettings, ...options.quotas }
  const quotas = new Quotas({
    settings: quotaSettings,
    contextOf,
    creatorOf: ({ user }) => accountOfOwner(owningCallerOf(user, directory, index).self),
  })
  const { usersPerConnector } = quotaSettings
  const signedOnUsers = signedOnUsersParts(options, { group, contextOf, directory, keysByOwner, usersPerConnector })
  const orphans = new Orphans(keyContext, keysByOwner, directory, report)
  const audit = options.audit && createAudit(options.audit, options.log)
  const background = new BackgroundWork({
    table: tables.controllers,
    keyParts: parts,
    contextOf,
    coreContextOf: (kind) => required(registry, '', kind),
    managedSecrets: reach.managedSecrets,
    orphans,
    signedOnUsers,
    early: [orphans, ...(audit === undefined ? [] : [audit])],
    report,
  })
  return {
    authenticator: firstKnown([authenticator, reach.replicas]),
    authorizer,
    hooksFor: (kind) =>
      managementHooksFor(kind, tables.hooks, { keyParts: parts, quotas, contextOf, views: rights.views }),
    reviews: createPlatformReviews(tables.reviews, {
      keyParts: parts,
      contextOf,
      secrets: () => required(registry, '', 'Secret'),
      managedSecrets: reach.managedSecrets,
      deciders: { owners, reach },
      registration: reach.registration,
      trail: audit && options.audit && createTrail({ ...options.audit, flush: () => audit.flush() }),
    }),
    extraRoutes: reach.extraRoutes,
    readOnward,
    knownFlow,
    pages: consolePages({ directory: consoleDirectory(), random }),
    healthChecks: [...confirmed.healthChecks, ...(audit?.healthChecks ?? [])],
    moreMetrics: async () => `${confirmed.metrics()}${reach.metrics()}${audit?.metrics() ?? ''}`,
    sessions: createSessions({
      keyParts: parts,
      keys: keyContext,
      tokens,
      check: checkSession,
      whenConfirmed: confirmed.whenConfirmed,
    }),
    oidcGrants: createOidcGrants({ keyParts: parts, keys: keyContext, users: () => contextOf('User') }),
    enterUser: (signedOn, choices) => enterUser(signedOnUsers, signedOn, choices),
    audit: (record) => {
      uses.note(record)
      audit?.record(record)
    },
    requireAudit: audit?.require,
    connect: () => {
      const sources = { managementGroup: group, contextOf, roleContextOf }
      background.follow([...feedRights(rights, sources, settings, orphans, quotas), ...reach.connect()])
    },
    bootstrap: () => ensurePlatformObjects(registry, group),
    settleFirstKey: () =>
      settleFirstKey({
        store: registry.engine.store,
        keyParts: parts,
        keys: keyContext,
        users: () => contextOf('User'),
        log: options.log,
      }),
    startControllers: async (address, refresh) => {
      background.start(refresh)
      await reach.start(address)
    },
    announce: (address) => reach.announce(address),
    drain: () => reach.drain(),
    stop: async () => {
      await reach.stop()
      confirmed.stop()
      await background.stop()
    },
  }
}

interface SignedOnUsersContext extends Pick<SignedOnUsersParts, 'directory' | 'usersPerConnector'> {
  readonly group: string
  readonly contextOf: (kind: string) => ResourceContext
  readonly keysByOwner: KeysByOwner
}

function signedOnUsersParts(
  { registry, clock, log }: PlatformOptions,
  { group: managementGroup, contextOf, directory, keysByOwner, usersPerConnector }: SignedOnUsersContext,
): SignedOnUsersParts {
  const naming = { contexts: () => registry.contexts(), keysByOwner, managementGroup }
  const isNamed = (name: string) => isNamedElsewhere(name, naming)
  const teams = { teams: () => contextOf('Team'), directory, isNamedElsewhere: isNamed, log }
  return {
    users: () => contextOf('User'),
    directory,
    clock,
    usersPerConnector,
    isNamedElsewhere: isNamed,
    createTeams: (groups, connector) => createTeams(teams, groups, connector),
  }
}
