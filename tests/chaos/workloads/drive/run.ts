import { setTimeout as delay } from 'node:timers/promises'
import { Chance } from '../../../support/chance.ts'
import { check } from '../checker/check.ts'
import { unfinished } from '../checker/end-state.ts'
import type { Sight } from '../checker/history.ts'
import { Changes } from './changes.ts'
import { startFaults } from './faults.ts'
import { Kubelet } from './kubelet.ts'
import { Recorder } from './recorder.ts'
import { startServers } from './servers.ts'

/** A run on a slow machine goes on until it has seen as many states, and a fault. */
export const leastStates = 100

export interface ChaosOptions {
  readonly seed: number
  readonly seconds: number
  /** The time for all workloads to reach their spec, once it is quiet. */
  readonly settleSeconds: number
  /** The probability that a Pod of a Job fails. A Job then waits, longer each time. */
  readonly failures: number
}

export interface ChaosResult {
  readonly complaints: readonly string[]
  readonly faults: readonly string[]
  readonly history: readonly Sight[]
}

/** Replicas are killed while workloads change; then it is quiet, and all workloads must reach their spec. */
export async function runWorkloadChaos(options: ChaosOptions): Promise<ChaosResult> {
  const [ofServers, ofKubelet, ofChanges, ofFaults] = chancesFrom(options.seed)
  const servers = await startServers(ofServers)
  const recorder = new Recorder(servers)
  const seen = (kind: string) => recorder.all(kind)
  const kubelet = new Kubelet({ pods: () => seen('Pod'), servers, chance: ofKubelet, failures: options.failures })
  try {
    await recorder.start()
    const changes = new Changes({ servers, chance: ofChanges, seen })
    await changes.begin()
    const faults = startFaults(servers, ofFaults)
    const endMs = performance.now() + options.seconds * 1_000
    const isShort = () => faults.log.length === 0 || recorder.history.length < leastStates
    while (performance.now() < endMs || isShort()) {
      await changes.next()
      await delay(ofChanges.between(20, 400))
    }
    await faults.stop()
    await changes.finish()
    const left = await untilFinished(recorder, options.settleSeconds)
    const complaints = [...recorder.problems, ...check(recorder.history), ...left]
    return { complaints, faults: faults.log, history: recorder.history }
  } finally {
    kubelet.stop()
    await recorder.stop()
    await servers.remove()
  }
}

/** A separate one for each user with a timer: with a shared one, the draws would depend on which timer fires first. */
function chancesFrom(seed: number): readonly [Chance, Chance, Chance, Chance] {
  return [new Chance(seed), new Chance(seed + 1), new Chance(seed + 2), new Chance(seed + 3)]
}

/** What is unfinished when the time is over; empty if nothing is. */
async function untilFinished(recorder: Recorder, seconds: number): Promise<readonly string[]> {
  const endMs = performance.now() + seconds * 1_000
  for (;;) {
    const left = unfinished(recorder.history)
    if (left.length === 0 || performance.now() > endMs) return left
    await delay(200)
  }
}
