import { setTimeout as delay } from 'node:timers/promises'
import type { Chance } from '../../../support/chance.ts'
import type { Replica } from './replica.ts'
import type { Servers } from './servers.ts'

export interface Faults {
  readonly log: readonly string[]
  /** Resolves when every replica runs. */
  stop(): Promise<void>
}

/** Kills or freezes a replica every few seconds, for longer or shorter than a lease. The leader is one of them. */
export function startFaults({ replicas }: Servers, chance: Chance): Faults {
  const log: string[] = []
  const startedMs = performance.now()
  const stopped = new AbortController()
  const { signal } = stopped
  const [first, ...others] = replicas
  if (first === undefined) throw new Error('there is no replica')
  const strike = async (): Promise<void> => {
    while (!signal.aborted) {
      await delay(chance.between(700, 3_000), undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const replica = chance.pick([first, ...others])
      const kind = chance.next() < 0.7 ? 'kill' : 'freeze'
      log.push(`${Math.round(performance.now() - startedMs)} ms: ${kind} ${replica.name}`)
      await (kind === 'kill' ? kill(replica, chance) : freezeFor(replica, chance.between(200, 5_000)))
    }
  }
  const striking = strike()
  return {
    log,
    stop: async () => {
      stopped.abort()
      await striking
    },
  }
}

async function kill(replica: Replica, chance: Chance): Promise<void> {
  await replica.kill()
  await delay(chance.between(0, 1_000))
  await replica.start()
}

function freezeFor(replica: Replica, ms: number): Promise<void> {
  return replica.freezeFor(() => delay(ms))
}
