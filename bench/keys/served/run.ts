import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Subject } from '../../contract.ts'
import { launchOurs } from '../../servers/ours.ts'
import { usageOf } from '../../servers/usage.ts'
import { Api } from './api.ts'
import { fillStore } from './fill-store.ts'
import { measureGets } from './gets.ts'
import { measureRevocations } from './revocations.ts'
import { measureWrites } from './writes.ts'

/**
 * A real platform server with many keys in its embedded store: how long it takes to start, what a request with a key
 * costs, how fast a revocation takes effect, and how rarely use is recorded.
 * `npm run build && npx tsc -p tsconfig.bench.json && node dist-bench/bench/keys/served/run.js`, with KEYS=1000000 and
 * BENCH_DIRECTORY=dist-bench/data by default.
 */

const keys = Number(process.env.KEYS ?? 1_000_000)
const directory = resolve(process.env.BENCH_DIRECTORY ?? 'dist-bench/data')
const watches = 1000
const requests = 100_000

function line(what: string, value: string, target = ''): void {
  process.stdout.write(`| ${what.padEnd(70)} | ${value.padStart(12)} | ${target.padEnd(16)} |\n`)
}

function verdict(met: boolean, target: string): string {
  return `${target} ${met ? 'met' : 'missed'}`
}

async function measure(): Promise<void> {
  const store = join(directory, 'store')
  const fillingMs = await timed(() => fillStore(store, keys))
  line(`${keys.toLocaleString('en-US')} keys written, s`, (fillingMs / 1000).toFixed(1))
  const subject = await launchOurs(directory, { withKeys: true, store })()
  try {
    const { cpuSeconds, residentBytes } = usageOf(subject.processIds)
    const startSeconds = subject.startMs / 1000
    line('start to ready, s', startSeconds.toFixed(1), verdict(startSeconds <= 20, '≤ 20'))
    line('start to ready, CPU s', cpuSeconds.toFixed(1))
    line('resident after the start, MiB', (residentBytes / 2 ** 20).toFixed(0))
    const gets = await withApi(subject, (api) => measureGets(subject, api))
    line('GET by the static token, server CPU µs', gets.staticMicroseconds.toFixed(1))
    line('GET by a scoped key, server CPU µs', gets.keyMicroseconds.toFixed(1))
    line('GET by a scoped key to GET by the static token', gets.ratio.toFixed(3), verdict(gets.ratio <= 1.15, '≤ 1.15'))
    const writes = await withApi(subject, (api) => measureWrites(subject, api, requests))
    const seconds = (writes.requestsMs / 1000).toFixed(0)
    line(
      `${requests} GETs by one key in ${seconds} s: writes in that minute`,
      String(writes.writes),
      verdict(writes.writes <= 2, '≤ 2'),
    )
    const cuts = await withApi(subject, (api) => measureRevocations(subject, api, watches))
    line(`disabled to cut, ${watches} keys with a watch each, ms: p50`, cuts.p50Ms.toFixed(1))
    line(
      `disabled to cut, ${watches} keys with a watch each, ms: p99`,
      cuts.p99Ms.toFixed(1),
      verdict(cuts.p99Ms <= 1000, '≤ 1,000'),
    )
    line(`disabled to cut, ${watches} keys with a watch each, ms: longest`, cuts.longestMs.toFixed(1))
  } finally {
    await subject.stop()
  }
}

/** Uses a separate connection, because the server closes idle ones. */
async function withApi<T>(subject: Subject, act: (api: Api) => Promise<T>): Promise<T> {
  const api = await Api.of(subject)
  try {
    return await act(api)
  } finally {
    api.close()
  }
}

async function timed(act: () => Promise<void>): Promise<number> {
  const startedMs = performance.now()
  await act()
  return performance.now() - startedMs
}

mkdirSync(directory, { recursive: true })
try {
  await measure()
} finally {
  rmSync(directory, { recursive: true, force: true })
}
