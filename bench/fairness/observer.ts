import { type ClientHttp2Session, connect } from 'node:http2'
import { request } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import type { Subject } from '../contract.ts'
import { usageOf } from '../servers/usage.ts'
import { quantile, sortedNumbers } from '../statistics.ts'
import type { Measured } from './contract.ts'

const betweenGetsMs = 5
const betweenProbesMs = 100

/** What another caller and a probe experience during that time. */
export async function observe(subject: Subject, key: string, path: string, forMs: number): Promise<Measured> {
  const session = connect(`https://127.0.0.1:${subject.port}`, { ca: subject.authority })
  session.on('error', () => {})
  const until = performance.now() + forMs
  let peakBytes = 0
  const [gets, probes] = await Promise.all([
    repeat(until, betweenGetsMs, () => get(session, key, path)),
    repeat(until, betweenProbesMs, () => {
      peakBytes = Math.max(peakBytes, usageOf(subject.processIds).residentBytes)
      return probe(subject)
    }),
  ])
  session.close()
  const times = sortedNumbers(gets.map(({ ms }) => ms))
  return {
    requests: gets.length,
    failed: gets.filter(({ status }) => status !== 200).length,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    livezMs: Math.max(...probes.map(({ status, ms }) => (status === 200 ? ms : Number.POSITIVE_INFINITY))),
    peakBytes,
  }
}

interface Timed {
  readonly status: number
  readonly ms: number
}

async function repeat(until: number, betweenMs: number, ask: () => Promise<number>): Promise<readonly Timed[]> {
  const all: Timed[] = []
  while (performance.now() < until) {
    const startedAt = performance.now()
    const status = await ask()
    all.push({ status, ms: performance.now() - startedAt })
    await pause(betweenMs)
  }
  return all
}

function get(session: ClientHttp2Session, key: string, path: string): Promise<number> {
  return new Promise((resolve) => {
    if (session.destroyed || session.closed) return resolve(0)
    const stream = session.request({ ':path': path, authorization: `Bearer ${key}` })
    let status = 0
    stream.on('response', (head) => {
      status = Number(head[':status'])
    })
    stream.on('error', () => {}).on('close', () => resolve(status))
    stream.resume()
  })
}

/** Like a kubelet: one connection per probe. */
function probe({ port, authority }: Subject): Promise<number> {
  return new Promise((resolve) => {
    const asking = request({ host: '127.0.0.1', port, ca: authority, path: '/livez', agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
    })
    asking.once('error', () => resolve(0)).end()
  })
}
