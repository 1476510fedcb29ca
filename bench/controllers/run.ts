import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import type { Launch, Row, Subject, Target } from '../contract.ts'
import { describeEnvironment } from '../report/environment.ts'
import { printTable } from '../report/table.ts'
import { findPeer } from '../servers/peer-binaries.ts'
import { usageOf } from '../servers/usage.ts'
import { type Limit, printLimits } from './limits.ts'
import { restarted } from './restarted.ts'
import { atRest, populate, type Rest, readinessToSlice, rollingUpdate, scaleUp } from './scenarios.ts'
import { launchEngine, launchPeerWithControllers } from './subjects.ts'

/**
 * Workload controllers: `tenant apiserver` against kube-apiserver, etcd and kube-controller-manager.
 * `npm run build && npx tsc -p tsconfig.bench.json && node dist-bench/bench/controllers/run.js`. SCALE=0.1 for a tenth
 * of it.
 */

const scale = Number(process.env.SCALE ?? 1)
const scaled = (count: number) => Math.max(1, Math.round(count * scale))
const restSeconds = 10
const megabyte = 1024 * 1024

interface Measured {
  readonly scaleMs: number
  /** For all processes of the server, while it scaled. */
  readonly scaleCpuSeconds: number
  readonly rollingMs: number
  readonly sliceMs: number
  readonly atRest: Rest
  readonly full: Rest
}

/** Each in a separate server, on an empty store, so that none affects the next. */
async function measure(launch: Launch, name: string): Promise<Measured> {
  const on = async <T>(what: string, run: (subject: Subject) => Promise<T>): Promise<T> => {
    process.stderr.write(`${name}: ${what}\n`)
    const subject = await launch()
    try {
      return await run(subject)
    } finally {
      await subject.stop()
    }
  }
  let scaleCpuSeconds = 0
  return {
    scaleMs: await on('scaling', async (subject) => {
      const before = usageOf(subject.processIds).cpuSeconds
      const tookMs = await scaleUp(subject, scaled(1_000))
      scaleCpuSeconds = usageOf(subject.processIds).cpuSeconds - before
      return tookMs
    }),
    scaleCpuSeconds,
    rollingMs: await on('a rolling update', (subject) => rollingUpdate(subject, scaled(500))),
    sliceMs: await on('slices', (subject) => readinessToSlice(subject, 100)),
    atRest: await on('Deployments at rest', async (subject) => {
      await populate(subject, { deployments: scaled(1_000), podsEach: 1, namespaces: 10 })
      return atRest(subject, restSeconds)
    }),
    full: await on('many Pods', async (subject) => {
      await populate(subject, { deployments: scaled(500), podsEach: 10, namespaces: 10 })
      return atRest(subject, restSeconds)
    }),
  }
}

function rowsOf(ours: Measured, peer: Measured | undefined): readonly Row[] {
  const row = (scenario: string, unit: string, read: (measured: Measured) => number, target?: Target): Row => {
    const [own, other] = [read(ours), peer && read(peer)]
    return { scenario, unit, ours: own, peer: other, ratio: other === undefined ? undefined : own / other, target }
  }
  const atMost = (ratio: number): Target => ({ comparison: 'at most', ratio })
  return [
    row(`0 to ${scaled(1_000)} Pods`, 'ms', ({ scaleMs }) => scaleMs, atMost(1 / 3)),
    row(`0 to ${scaled(1_000)} Pods, server CPU`, 's', (measured) => measured.scaleCpuSeconds),
    row(`rolling update of ${scaled(500)} Pods`, 'ms', ({ rollingMs }) => rollingMs, atMost(1 / 2)),
    row('readiness to EndpointSlice, median', 'ms', ({ sliceMs }) => sliceMs, atMost(1 / 3)),
    row(`${scaled(1_000)} Deployments at rest`, '% of a core', ({ atRest: { cpuPercent } }) => cpuPercent),
    row(`${scaled(1_000)} Deployments at rest, writes`, `in ${restSeconds} s`, ({ atRest: { writes } }) => writes),
    row(`${scaled(500)} Deployments of 10 Pods`, 'MB', ({ full }) => full.residentBytes / megabyte, atMost(1 / 3)),
  ]
}

/** Only ours: what the controllers add to an idle server, and a start with many Pods. */
async function measureOurs(directory: string): Promise<readonly Limit[]> {
  const idle = async (controllers: string) => {
    const subject = await launchEngine(directory, { controllers })()
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    const { residentBytes } = usageOf(subject.processIds)
    await subject.stop()
    return residentBytes / megabyte
  }
  process.stderr.write('ours: idle, and a restart\n')
  const [without, withAll] = [await idle('none'), await idle('all')]
  const { inStepMs, writes } = await restarted(directory, scaled(500), restSeconds)
  const among = `restart among ${scaled(5_000)} Pods`
  return [
    {
      what: `controllers of an idle server (${withAll.toFixed(1)} MB with them)`,
      value: withAll - without,
      unit: 'MB',
      most: 25,
    },
    {
      what: `${among}, from the start of the process to all workloads looked at`,
      value: inStepMs,
      unit: 'ms',
      most: 3_000,
    },
    { what: `${among}, writes`, value: writes, unit: `in ${restSeconds} s`, most: 0 },
  ]
}

/** Absolute limits for the numbers of a run, whatever the peer's are. */
function limitsOf({ sliceMs, atRest: { cpuPercent, writes } }: Measured): readonly Limit[] {
  return [
    { what: 'readiness to EndpointSlice, median', value: sliceMs, unit: 'ms', most: 5 },
    { what: `${scaled(1_000)} Deployments at rest`, value: cpuPercent, unit: '% of a core', most: 1 },
    { what: `${scaled(1_000)} Deployments at rest, writes`, value: writes, unit: `in ${restSeconds} s`, most: 0 },
  ]
}

async function main(): Promise<void> {
  const directory = mkdtempSync(join(process.env.BENCH_DIRECTORY ?? tmpdir(), 'tenant-bench-controllers-'))
  try {
    const search = findPeer(directory)
    const peer = search.outcome === 'found' ? search.binaries : undefined
    const environment = describeEnvironment(directory, peer?.version ?? 'none', systemClock.now())
    const other = peer && (await measure(launchPeerWithControllers(directory, peer), 'peer'))
    const ours = await measure(launchEngine(directory), 'ours')
    const limits = [...limitsOf(ours), ...(await measureOurs(directory))]
    process.stdout.write(`${JSON.stringify(environment)}\n\n${printTable(rowsOf(ours, other))}\n${printLimits(limits)}`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

await main()
