import type { Authenticator } from '../../auth/contract.ts'
import type { KeyIndex } from '../../auth/keys/contract.ts'
import { type Clock, monotonicClock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { Confirmation } from '../../registry/confirmation.ts'
import type { Engine } from '../../registry/context.ts'
import { type HealthCheck, Unhealthy } from '../../server/contract.ts'
import { confirmedKeys, whenConfirmed } from './confirmed-keys.ts'

export interface KeyConfirmationOptions {
  readonly keys: Authenticator
  readonly index: KeyIndex
  readonly engine: Pick<Engine, 'store' | 'feed'>
  readonly withinSeconds: number
  /** The clock of the keys. Whether they are up to date is measured with a monotonic clock, which cannot be set. */
  readonly clock: Clock
  readonly log: Log
}

type Asked = ReturnType<Authenticator['authenticateToken']>
export type WhenConfirmed = (ask: () => Asked) => Asked

/** Accepts keys only while the state of this replica is confirmed. */
export interface KeyConfirmation {
  readonly authenticator: Authenticator
  /** The same guard for credentials that are not bearer tokens. */
  readonly whenConfirmed: WhenConfirmed
  readonly healthChecks: readonly HealthCheck[]
  /** In the Prometheus text format. */
  metrics(): string
  stop(): void
}

export function keyConfirmation(options: KeyConfirmationOptions): KeyConfirmation {
  const { keys, engine } = options
  // There is no other process that could have revoked a key.
  if (engine.store.soleWriter) {
    const whenConfirmed: WhenConfirmed = (ask) => ask()
    const metrics = () => metricsOf({ isLost: false, losses: 0 })
    return { authenticator: keys, whenConfirmed, healthChecks: [], metrics, stop: () => {} }
  }
  return sharedStore(options)
}

function sharedStore({ keys, index, engine, withinSeconds, clock, log }: KeyConfirmationOptions): KeyConfirmation {
  const confirmation = new Confirmation({
    engine,
    clock: monotonicClock,
    withinMs: withinSeconds * 1000,
    isNeeded: () => index.hasOpen,
    onLost: (why) => {
      index.suspend()
      log.error('access keys are refused and their connections are cut: the store has not confirmed them in time', {
        withinSeconds,
        why,
      })
    },
    onRegained: () => {
      index.resume()
      log.info('access keys are accepted again: the store has confirmed them')
    },
  })
  const isKnown = (token: string) => index.check(token, clock.now()).state !== 'unknown'
  return {
    authenticator: confirmedKeys(keys, confirmation, isKnown),
    whenConfirmed: (ask) => whenConfirmed(confirmation, ask),
    healthChecks: [{ name: 'keys-confirmed', only: ['readyz'], check: () => requireConfirmed(confirmation) }],
    metrics: () => metricsOf(confirmation),
    stop: () => confirmation.stop(),
  }
}

function requireConfirmed({ isLost, ageMs }: Confirmation): void {
  if (!isLost) return
  const since = Number.isFinite(ageMs) ? `for ${Math.round(ageMs / 1000)} s` : 'yet'
  throw new Unhealthy(`access keys are refused: the store has not confirmed them ${since}`)
}

function metricsOf({ isLost, losses }: Pick<Confirmation, 'isLost' | 'losses'>): string {
  return [
    '# HELP platform_access_keys_confirmed Whether access keys are accepted: 0 while this replica is cut off from its store.',
    '# TYPE platform_access_keys_confirmed gauge',
    `platform_access_keys_confirmed ${isLost ? 0 : 1}`,
    '# HELP platform_access_keys_unconfirmed_total How often access keys were refused because the store did not confirm them.',
    '# TYPE platform_access_keys_unconfirmed_total counter',
    `platform_access_keys_unconfirmed_total ${losses}`,
    '',
  ].join('\n')
}
