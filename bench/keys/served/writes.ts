import { setTimeout as pause } from 'node:timers/promises'
import type { Subject } from '../../contract.ts'
import { openConnections, runClosedLoop } from '../../load/closed-loop.ts'
import { requestBytes } from '../../load/http1-connection.ts'
import { type Api, keysPath } from './api.ts'

const minuteMs = 60_000

export interface WritesOfUse {
  readonly requests: number
  readonly requestsMs: number
  /** Everything that was written within a minute from the first request. */
  readonly writes: number
}

/** How often the store is written to because a key is used very often. */
export async function measureWrites(subject: Subject, api: Api, requests: number): Promise<WritesOfUse> {
  await api.create('User', 'users', { metadata: { name: 'busy' } })
  const token = await api.createKey('busy', { user: 'busy' })
  const connections = await openConnections(subject)
  await pause(1000)
  const before = await revision(api)
  const request = requestBytes({ ...subject, token }, 'GET', '/version')
  const startedMs = performance.now()
  await runClosedLoop(subject, connections, { next: () => request, expectedStatus: 200, limit: { requests } })
  const requestsMs = performance.now() - startedMs
  await pause(Math.max(0, minuteMs - requestsMs))
  const writes = (await revision(api)) - before
  for (const connection of connections) connection.close()
  return { requests, requestsMs, writes }
}

/** Every write of any object has the next number. */
async function revision(api: Api): Promise<number> {
  return Number((await api.must('GET', `${keysPath}?limit=1`)).metadata.resourceVersion)
}
