import { connect } from 'node:http2'
import { setTimeout as pause } from 'node:timers/promises'
import type { Subject } from '../../contract.ts'
import { openConnections, runClosedLoop } from '../../load/closed-loop.ts'
import { requestBytes } from '../../load/http1-connection.ts'
import { type Api, keysPath } from './api.ts'

const minuteMs = 60_000

export interface WritesOfUse {
  readonly requests: number
  readonly requestsMs: number
  /** For the key and Events about it, within a minute from the first request. */
  readonly writes: number
}

/** How often the store is written to because a key is used very often. */
export async function measureWrites(subject: Subject, api: Api, requests: number): Promise<WritesOfUse> {
  await api.create('User', 'users', { metadata: { name: 'busy' } })
  const token = await api.createKey('busy', { user: 'busy' })
  const connections = await openConnections(subject)
  await pause(1000)
  const since = (await api.must('GET', `${keysPath}?limit=1`)).metadata.resourceVersion
  const watches = [
    countEvents(subject, `${keysPath}?watch=true&fieldSelector=metadata.name=busy&resourceVersion=${since}`),
    countEvents(subject, `/api/v1/events?watch=true&fieldSelector=involvedObject.name=busy&resourceVersion=${since}`),
  ]
  const request = requestBytes({ ...subject, token }, 'GET', '/version')
  const startedMs = performance.now()
  const counted = pause(minuteMs).then(() => watches.reduce((sum, stop) => sum + stop(), 0))
  await runClosedLoop(subject, connections, { next: () => request, expectedStatus: 200, limit: { requests } })
  const requestsMs = performance.now() - startedMs
  for (const connection of connections) connection.close()
  return { requests, requestsMs, writes: await counted }
}

/** Counts the events of a watch, until the returned function is called. */
function countEvents({ host, port, authority, token }: Subject, path: string): () => number {
  const session = connect(`https://${host}:${port}`, { ca: authority })
  const stream = session.request({ ':path': path, authorization: `Bearer ${token}` })
  let lines = 0
  stream.setEncoding('utf8').on('data', (text: string) => {
    lines += text.split('\n').length - 1
  })
  return () => {
    session.destroy()
    return lines
  }
}
