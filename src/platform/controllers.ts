import type { RefreshIdentity, SignedOn } from '../auth/signed-on.ts'
import type { Clock } from '../base/clock.ts'
import type { ResourceContext } from '../registry/context.ts'
import type { Controller, ReportError } from '../registry/controllers/controller.ts'
import { EventWriter } from './access-keys/life/event-writer.ts'
import type { KeyLife } from './access-keys/life/key-life.ts'
import type { Orphans } from './access-keys/life/orphans.ts'
import { retention } from './access-keys/life/retention.ts'
import type { KeyParts } from './access-keys/parts.ts'
import { UsageWriter } from './access-keys/usage/usage-writer.ts'
import type { ManagedSecrets } from './managed-secrets/managed-secrets.ts'
import { TakeOver } from './managed-secrets/take-over.ts'
import { SessionSweep } from './sessions/session-sweep.ts'
import { IdentityRefresh } from './signed-on/identity-refresh.ts'

export interface PlatformControllerParts {
  readonly keyParts: KeyParts
  readonly keys: ResourceContext
  readonly virtualClusters: ResourceContext
  readonly clusters: ResourceContext
  readonly events: ResourceContext
  readonly configMaps: ResourceContext
  readonly managedSecrets: ManagedSecrets
  /** The authenticator tells it when the activity of keys must be stored. */
  readonly life: KeyLife
  /** Notified when an owner is deleted. */
  readonly orphans: Orphans
  /** Absent: no identity providers are configured. */
  readonly refresh: RefreshIdentity | undefined
  readonly refreshUser: (user: string, signedOn: SignedOn) => Promise<boolean>
  readonly clock: Clock
  readonly report: ReportError
}

export type PlatformControllerTable = Readonly<
  Record<string, (parts: PlatformControllerParts) => Controller | undefined>
>

/** The background controllers of the platform, by name. */
export const platformControllers: PlatformControllerTable = {
  'key-life': ({ life }) => life,
  'key-orphans': ({ orphans }) => orphans,
  'key-usage': ({ keys, keyParts: { uses, settings }, report }) =>
    new UsageWriter(keys, uses, report, settings.usageIntervalSeconds * 1000),
  'key-events': ({ keys, events, keyParts: { index }, report }) => new EventWriter(keys, events, index, report),
  'key-retention': ({ keys, keyParts: { settings }, report }) => retention(keys, settings.retentionSeconds, report),
  'session-sweep': ({ keys, keyParts: { index }, report }) => new SessionSweep(keys, index, report),
  'identity-refresh': ({ keys, keyParts: { settings }, refresh, refreshUser, report }) =>
    refresh &&
    new IdentityRefresh({
      keys,
      refresh,
      bringUpToDate: refreshUser,
      intervalSeconds: settings.identityRefreshSeconds,
      report,
    }),
  'secret-take-over': ({ keys, virtualClusters, clusters, configMaps, managedSecrets, clock, report }) =>
    new TakeOver({
      keys,
      instances: virtualClusters,
      clusters,
      records: configMaps,
      secrets: managedSecrets,
      clock,
      report,
    }),
}
