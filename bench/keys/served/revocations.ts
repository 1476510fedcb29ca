import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import type { Subject } from '../../contract.ts'
import { quantile, sortedNumbers } from '../../statistics.ts'
import { type Api, keysPath } from './api.ts'

const streamsPerSession = 250

export interface CutTimes {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly longestMs: number
}

/**
 * Opens a watch with each of that many keys, then disables one key after the other; measures from the request to the
 * end of the watch.
 */
export async function measureRevocations(subject: Subject, api: Api, watches: number): Promise<CutTimes> {
  await api.create('User', 'users', { metadata: { name: 'watcher' } })
  const tokens: string[] = []
  for (let number = 0; number < watches; number++) {
    tokens.push(await api.createKey(`watching-${number}`, { user: 'watcher' }))
  }
  const sessions = Array.from({ length: Math.ceil(watches / streamsPerSession) }, () => openSession(subject))
  const { resourceVersion } = (await api.must('GET', `${keysPath}?limit=1`)).metadata
  const path = `${keysPath}?watch=true&fieldSelector=metadata.name=none&resourceVersion=${resourceVersion}`
  const opened = await Promise.all(
    tokens.map((token, number) => watch(sessions[number % sessions.length], path, token)),
  )
  const cuts: number[] = []
  for (let number = 0; number < watches; number++) {
    const startedMs = performance.now()
    const change = { spec: { disabled: true } }
    await api.must('PATCH', `${keysPath}/watching-${number}`, change, 'application/merge-patch+json')
    await opened[number]?.ended
    cuts.push(performance.now() - startedMs)
  }
  for (const session of sessions) session.destroy()
  const sorted = sortedNumbers(cuts)
  return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99), longestMs: quantile(sorted, 1) }
}

function openSession({ host, port, authority }: Subject): ClientHttp2Session {
  return connect(`https://${host}:${port}`, { ca: authority })
}

function watch(
  session: ClientHttp2Session | undefined,
  path: string,
  token: string,
): Promise<{ readonly ended: Promise<void> }> {
  if (session === undefined) throw new Error('There is no session to watch on.')
  const stream: ClientHttp2Stream = session.request({
    ':path': path,
    authorization: `Bearer ${token}`,
  })
  const ended = new Promise<void>((resolve) => {
    stream.on('data', () => {}).once('close', resolve)
  })
  return new Promise((resolve, reject) => {
    stream.once('error', reject)
    stream.once('response', (headers) => {
      if (headers[':status'] === 200) resolve({ ended })
      else reject(new Error(`A watch was answered ${headers[':status']}.`))
    })
  })
}
