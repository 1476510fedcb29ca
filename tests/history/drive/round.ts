import { setTimeout as delay } from 'node:timers/promises'
import { Chance } from '../../support/chance.ts'
import { check } from '../checker/check.ts'
import type { History, Violation } from '../checker/history.ts'
import { Caller } from './caller.ts'
import { Collection } from './collection.ts'
import { Connections } from './connections.ts'
import { type Beginning, Follower } from './follower.ts'
import { planMishaps, suffer } from './mishaps.ts'
import { Recorder } from './recorder.ts'
import { makeNamespace, writeTheEnd } from './steward.ts'
import { Worker } from './worker.ts'
import type { World } from './world.ts'

const workers = 5
/** A minimum for slow machines too, within limits. */
const leastCalls = 150
const longestWorkMs = 4_000
/** Before the first fault and after the last one. */
const calmMs = 150
const patienceMs = 240_000
const pauseMs = 5

export interface Round {
  readonly history: History
  readonly violations: readonly Violation[]
  /** Answers that no client may get, and servers that crashed. */
  readonly surprises: readonly string[]
  readonly faults: readonly string[]
  readonly operations: number
  readonly events: number
  readonly unknown: number
}

/** Clients and faults according to the seed, then quiet until every watch has caught up, then the check. */
export async function runRound(world: World, seed: number): Promise<Round> {
  const connections = new Connections(world.endpoints)
  try {
    return await play(world, seed, connections)
  } finally {
    await world.heal()
    connections.close()
  }
}

async function play(world: World, seed: number, connections: Connections): Promise<Round> {
  const chance = new Chance(seed)
  const recorder = new Recorder()
  const collection = new Collection(`round-${seed}`)
  const caller = new Caller(collection, recorder)
  const steward = connections.open('http1')
  const firstRevision = await makeNamespace(collection, steward)
  const member = (index: number) => ({
    caller,
    collection,
    recorder,
    firstRevision,
    chance: new Chance(Math.floor(chance.next() * 2 ** 32)),
    transports: connections.open(index % 2 === 0 ? 'http1' : 'http2'),
  })
  const followers = beginnings(firstRevision).map(
    (beginning, index) => new Follower({ ...member(index), name: `watch${index}`, beginning }),
  )
  const clients = Array.from(
    { length: workers },
    (_, index) => new Worker({ ...member(index), name: `worker${index}` }),
  )
  const plan = planMishaps(chance, world)
  let isOver = false
  for (const follower of followers) follower.start()
  const working = clients.map((client) => client.workUntil(() => isOver))
  const direct = async () => {
    await delay(calmMs)
    const faults = await suffer(plan)
    await untilBusy(recorder)
    isOver = true
    return faults
  }
  const [faults] = await Promise.all([direct(), ...working])
  await world.heal()
  await bringHome(followers, await writeTheEnd(caller, recorder, steward))
  return judge(world, recorder, faults)
}

/** Waits until enough calls were answered, some of them after the last fault. */
async function untilBusy(recorder: Recorder): Promise<void> {
  const deadline = performance.now() + longestWorkMs
  await delay(calmMs)
  while (recorder.calls.length < leastCalls && performance.now() < deadline) await delay(pauseMs)
}

function beginnings(firstRevision: number): readonly Beginning[] {
  return ['list', 'list', 'initial events', { revision: firstRevision }]
}

async function bringHome(followers: readonly Follower[], goal: number): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (performance.now() < deadline && !followers.every((follower) => follower.hasReached(goal))) await delay(pauseMs)
  for (const follower of followers) await follower.stop(goal)
}

function judge(world: World, recorder: Recorder, faults: readonly string[]): Round {
  const { calls, lists, follows, operations, events, unknown } = recorder
  const history = { calls, lists, follows }
  const surprises = [...recorder.surprises, ...world.newCrashes()]
  return { history, violations: check(history), surprises, faults, operations, events, unknown }
}
