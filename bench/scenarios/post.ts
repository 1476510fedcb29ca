import { collectionPath, namespace } from '../config-map.ts'
import type { Subject } from '../contract.ts'
import { type LoadResult, openConnections, runClosedLoop } from '../load/closed-loop.ts'
import { requestBytes } from '../load/http1-connection.ts'
import { atLeast, inRounds } from '../rounds.ts'
import type { Scenario } from './contract.ts'
import { loadRows } from './load-rows.ts'
import { deleteLabelled } from './populate.ts'

/** A number and not a time: the faster server would otherwise end up with more to keep. */
const creations = 3_000
/** Enough for the compiler that works while the program runs. */
const warmUpCreations = 5_000

export const postScenario: Scenario = async ({ subjects, options }) => {
  await inRounds(subjects, 1, (subject) => runCreations(subject, warmUpCreations))
  const rounds = await inRounds(subjects, options.rounds, (subject) => runCreations(subject, creations))
  return loadRows('POST, durable', rounds, atLeast(3))
}

async function runCreations(subject: Subject, count: number): Promise<LoadResult> {
  const connections = await openConnections(subject)
  const requests = Array.from({ length: count }, (_, index) =>
    requestBytes(subject, 'POST', collectionPath, created(index)),
  )
  let index = 0
  const result = await runClosedLoop(subject, connections, {
    next: () => requests[index++] ?? Buffer.alloc(0),
    expectedStatus: 201,
    limit: { requests: count },
  })
  for (const connection of connections) connection.close()
  await deleteLabelled(subject, 'created=now')
  return result
}

function created(index: number): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `created-${index}`, namespace, labels: { created: 'now' } },
    data: { index: String(index), endpoint: 'https://service.internal:8443/api', mode: 'fast', region: 'north-1' },
  })
}
