import { collectionPath } from '../config-map.ts'
import type { Launch, Row, Subject } from '../contract.ts'
import { type LoadResult, openConnections, runClosedLoop } from '../load/closed-loop.ts'
import { requestBytes } from '../load/http1-connection.ts'
import type { BenchOptions } from '../options.ts'
import { atMost } from '../rounds.ts'
import { median } from '../statistics.ts'
import { createNamespace, fill } from './populate.ts'
import { objectPaths, runReads } from './reads.ts'

const sizes = { getFew: 100, listFew: 1_000, listMany: 50_000, getMany: 100_000 }
/** How much two measurements of the same thing differ on a busy machine. */
const noise = 1.25
/** One after the other: a list of 50,000 already depends on throughput. */
const listConnections = 1

/** Only ours, on a separate store: the cost of an answer must not depend on how many other objects exist. */
export async function runScale(launch: Launch, options: BenchOptions): Promise<readonly Row[]> {
  const subject = await launch()
  try {
    await createNamespace(subject)
    await fill(subject, 0, sizes.getFew)
    const gets = getsOf(subject, sizes.getFew)
    await readAll(subject, gets, options)
    const getFew = await measured(options, () => readAll(subject, gets, options))
    await fill(subject, sizes.getFew, sizes.listFew)
    await listCost(subject, sizes.listFew, options)
    const listFew = await listCost(subject, sizes.listFew, options)
    await fill(subject, sizes.listFew, sizes.listMany)
    const listMany = await listCost(subject, sizes.listMany, options)
    await fill(subject, sizes.listMany, sizes.getMany)
    const manyGets = getsOf(subject, sizes.getMany)
    await readAll(subject, manyGets, options)
    const getMany = await measured(options, () => readAll(subject, manyGets, options))
    return [
      grown('LIST, server CPU per object: 50,000 to 1,000', 'µs/object', listFew, listMany),
      grown('GET, server CPU: among 100,000 to among 100', 'µs/request', getFew, getMany),
    ]
  } finally {
    await subject.stop()
  }
}

function getsOf(subject: Subject, count: number): readonly Buffer[] {
  return objectPaths(count).map((path) => requestBytes(subject, 'GET', path))
}

async function readAll(subject: Subject, requests: readonly Buffer[], options: BenchOptions): Promise<LoadResult> {
  return runReads(subject, await openConnections(subject), requests, options.roundMs)
}

async function listCost(subject: Subject, objects: number, options: BenchOptions): Promise<number> {
  return (await measured(options, () => runLists(subject, options.roundMs))) / objects
}

async function measured(options: BenchOptions, run: () => Promise<LoadResult>): Promise<number> {
  const costs: number[] = []
  for (let round = 0; round < options.rounds; round++) costs.push((await run()).serverCpuMicroseconds)
  return median(costs)
}

/** Each time with a different limit that is never reached: a list that was sent before might be reused. */
async function runLists(subject: Subject, durationMs: number): Promise<LoadResult> {
  const connections = await openConnections(subject, listConnections)
  let limit = 1_000_000
  const result = await runClosedLoop(subject, connections, {
    next: () => requestBytes(subject, 'GET', `${collectionPath}?limit=${limit++}`),
    expectedStatus: 200,
    limit: { durationMs },
  })
  for (const connection of connections) connection.close()
  return result
}

/** The large case is in the column of ours, and the ratio compares it with the small one. */
function grown(scenario: string, unit: string, few: number, many: number): Row {
  return { scenario, unit, ours: many, peer: undefined, ratio: many / few, target: atMost(noise) }
}
