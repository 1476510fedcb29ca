import { collectionPath, namespace } from '../config-map.ts'
import type { Subject } from '../contract.ts'
import { type Client, clients } from '../load/clients.ts'
import { type LoadResult, runClosedLoop } from '../load/closed-loop.ts'
import type { Asked } from '../load/lane.ts'
import { atLeast, inRounds } from '../rounds.ts'
import type { Scenario } from './contract.ts'
import { loadRows } from './load-rows.ts'
import { deleteLabeled } from './populate.ts'

/** A number rather than a time: the faster server would otherwise end up storing more. */
const creations = 3_000
/** Enough to warm up the just-in-time compiler. */
const warmUpCreations = 5_000

export const postScenario: Scenario = async ({ subjects, options }) => {
  const rows = []
  for (const client of clients) {
    await inRounds(subjects, 1, (subject) => runCreations(subject, client, warmUpCreations))
    const rounds = await inRounds(subjects, options.rounds, (subject) => runCreations(subject, client, creations))
    rows.push(...loadRows(`POST, durable, ${client.name}`, rounds, atLeast(1.5)))
  }
  return rows
}

async function runCreations(subject: Subject, client: Client, count: number): Promise<LoadResult> {
  const lanes = await client.open(subject)
  let index = 0
  const result = await runClosedLoop(subject, lanes, {
    next: (): Asked => ({ method: 'POST', path: collectionPath, body: created(index++) }),
    expectedStatus: 201,
    limit: { requests: count },
  })
  for (const lane of lanes) lane.close()
  await deleteLabeled(subject, 'created=now')
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
