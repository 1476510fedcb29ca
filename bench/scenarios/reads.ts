import { collectionPath, objectName, objectPath } from '../config-map.ts'
import type { Subject, Target } from '../contract.ts'
import { type LoadResult, openConnections, runClosedLoop } from '../load/closed-loop.ts'
import { requestBytes } from '../load/http1-connection.ts'
import { atLeast, inRounds } from '../rounds.ts'
import type { Scenario } from './contract.ts'
import { loadRows } from './load-rows.ts'

export const objectCount = 1_000
const warmUpMs = 1_500

export const getScenario: Scenario = readScenario('GET one of 1,000', atLeast(3), (subject) =>
  getRequests(subject, objectCount),
)

export const listScenario: Scenario = readScenario('LIST 1,000', atLeast(5), (subject) => [
  requestBytes(subject, 'GET', collectionPath),
])

export function getRequests(subject: Subject, count: number): readonly Buffer[] {
  return Array.from({ length: count }, (_, index) => requestBytes(subject, 'GET', objectPath(objectName(index))))
}

function readScenario(name: string, target: Target, requestsFor: (subject: Subject) => readonly Buffer[]): Scenario {
  return async ({ subjects, options }) => {
    await inRounds(subjects, 1, (subject) => runReads(subject, requestsFor(subject), warmUpMs))
    const rounds = await inRounds(subjects, options.rounds, (subject) =>
      runReads(subject, requestsFor(subject), options.roundMs),
    )
    return loadRows(name, rounds, target)
  }
}

/** Goes through the requests in steps that are prime to their number: evenly, and not in order. */
export async function runReads(subject: Subject, requests: readonly Buffer[], durationMs: number): Promise<LoadResult> {
  const connections = await openConnections(subject)
  const step = 7_919
  let index = 0
  const result = await runClosedLoop(subject, connections, {
    next: () => {
      index = (index + step) % requests.length
      return requests[index] ?? Buffer.alloc(0)
    },
    expectedStatus: 200,
    limit: { durationMs },
  })
  for (const connection of connections) connection.close()
  return result
}
