import { collectionPath, objectName, objectPath } from '../config-map.ts'
import type { Subject, Target } from '../contract.ts'
import { clients } from '../load/clients.ts'
import { type LoadResult, runClosedLoop } from '../load/closed-loop.ts'
import type { Asked, Lane } from '../load/lane.ts'
import { atLeast, inRounds } from '../rounds.ts'
import type { Scenario } from './contract.ts'
import { loadRows } from './load-rows.ts'

export const objectCount = 1_000
const warmUpMs = 1_500

export const getScenario: Scenario = readScenario('GET one of 1,000', atLeast(3), objectPaths(objectCount))

export const listScenario: Scenario = readScenario('LIST 1,000', atLeast(5), [collectionPath])

export function objectPaths(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => objectPath(objectName(index)))
}

function readScenario(name: string, target: Target, paths: readonly string[]): Scenario {
  const requests = paths.map((path): Asked => ({ method: 'GET', path }))
  return async ({ subjects, options }) => {
    const rows = []
    for (const client of clients) {
      const read = async (subject: Subject, durationMs: number) =>
        runReads(subject, await client.open(subject), requests, durationMs)
      await inRounds(subjects, 1, (subject) => read(subject, warmUpMs))
      const rounds = await inRounds(subjects, options.rounds, (subject) => read(subject, options.roundMs))
      rows.push(...loadRows(`${name}, ${client.name}`, rounds, target))
    }
    return rows
  }
}

/** Goes through the requests in steps that are coprime to their number: evenly, and not in order. Closes the lanes. */
export async function runReads<Request>(
  subject: Subject,
  lanes: readonly Lane<Request>[],
  requests: readonly Request[],
  durationMs: number,
): Promise<LoadResult> {
  const step = 7_919
  let index = 0
  const result = await runClosedLoop(subject, lanes, {
    next: () => {
      index = (index + step) % requests.length
      const request = requests[index]
      if (request === undefined) throw new Error('There is nothing to ask for.')
      return request
    },
    expectedStatus: 200,
    limit: { durationMs },
  })
  for (const lane of lanes) lane.close()
  return result
}
