import { setTimeout as delay } from 'node:timers/promises'
import type { Chance } from '../../support/chance.ts'
import type { Fault } from './faults.ts'
import type { World } from './world.ts'

/** Sequences of faults that run concurrently. */
export type Plan = readonly (readonly Mishap[])[]

export interface Mishap {
  readonly fault: Fault
  readonly afterMs: number
  readonly forMs: number
}

/** One to three faults in one or two lanes. */
export function planMishaps(chance: Chance, { lanes }: World): Plan {
  const [first, ...others] = shuffled(chance, lanes)
  if (first === undefined) return []
  const chosen = others[0] !== undefined && chance.next() < 0.4 ? [first, others[0]] : [first]
  return chosen.map((faults) => Array.from({ length: chance.next() < 0.3 ? 2 : 1 }, () => mishap(chance, faults)))
}

/** Returns the names of the faults that happened. */
export async function suffer(plan: Plan): Promise<readonly string[]> {
  const happened: string[] = []
  const sufferLane = async (lane: readonly Mishap[]) => {
    for (const { fault, afterMs, forMs } of lane) {
      await delay(afterMs)
      happened.push(fault.name)
      await fault.begin()
      await delay(forMs)
      await fault.end()
    }
  }
  await Promise.all(plan.map(sufferLane))
  return happened
}

function mishap(chance: Chance, faults: readonly [Fault, ...Fault[]]): Mishap {
  const fault = chance.pick(faults)
  const afterMs = chance.between(50, 400)
  // Some last longer than clients wait for an answer.
  return { fault, afterMs, forMs: chance.next() < 0.15 ? chance.between(1_000, 1_400) : chance.between(20, 400) }
}

function shuffled<T>(chance: Chance, items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, place: chance.next() }))
    .sort((left, right) => left.place - right.place)
    .map(({ item }) => item)
}
