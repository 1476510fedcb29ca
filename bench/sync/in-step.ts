import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../contract.ts'
import { usageOf } from '../servers/usage.ts'
import { plurals } from './objects.ts'
import type { SyncBench } from './setting.ts'
import { type SyncerProcess, startSyncer } from './syncer-process.ts'

const pollMs = 20
const quietPollMs = 200
const patienceMs = 300_000
const settleMs = 5_000
const idleMs = 20_000

export interface Restart {
  readonly seconds: number
  readonly writes: number
  readonly idleCpuPercent: number
  readonly idleWrites: number
  readonly residentMegabytes: number
}

/** A new process with copies that are in step: how long until it knows, what it writes, what it costs to stay. */
export async function measureRestart(bench: SyncBench, hostNamespace: string, pairs: number): Promise<Restart> {
  const before = await versions(bench, hostNamespace)
  const startedAt = performance.now()
  const syncer = await startSyncer(bench.directory, { ...bench, tenant: 'steady', hostNamespace })
  try {
    await untilInStep(syncer, 2 * pairs)
    const seconds = (performance.now() - startedAt) / 1000
    await sleep(settleMs)
    const writes = changed(before, await versions(bench, hostNamespace))
    const cpuBefore = usageOf([syncer.id]).cpuSeconds
    const idleFrom = await versions(bench, hostNamespace)
    await sleep(idleMs)
    const { cpuSeconds, residentBytes } = usageOf([syncer.id])
    return {
      seconds,
      writes,
      idleCpuPercent: ((cpuSeconds - cpuBefore) / (idleMs / 1000)) * 100,
      idleWrites: changed(idleFrom, await versions(bench, hostNamespace)),
      residentMegabytes: residentBytes / 1e6,
    }
  } finally {
    await syncer.stop()
  }
}

async function untilInStep(syncer: SyncerProcess, objects: number): Promise<void> {
  const deadline = performance.now() + patienceMs
  while ((await inStep(syncer)) < objects) {
    if (performance.now() > deadline)
      throw new Error(`${objects} objects were not in step within ${patienceMs / 1000} s`)
    await sleep(pollMs)
  }
}

/** In step, and with nothing left to write for a while. */
export async function untilQuiet(syncer: SyncerProcess, objects: number): Promise<void> {
  await untilInStep(syncer, objects)
  for (let quietMs = 0; quietMs < settleMs; quietMs += quietPollMs) {
    if ((await sumOf(syncer, (kind) => `tenant_sync_queue_length{kind="${kind}"}`)) > 0) quietMs = 0
    await sleep(quietPollMs)
  }
}

function inStep(syncer: SyncerProcess): Promise<number> {
  return sumOf(syncer, (kind) => `tenant_sync_objects{kind="${kind}",state="in-step"}`)
}

async function sumOf(syncer: SyncerProcess, nameOf: (kind: string) => string): Promise<number> {
  const metrics = await syncer.metrics()
  return plurals.reduce((sum, kind) => sum + (metrics.get(nameOf(kind)) ?? 0), 0)
}

/** The versions of everything on both sides. */
async function versions({ virtualApi, hostApi }: SyncBench, hostNamespace: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const plural of plurals) {
    for (const [api, namespace] of [
      [virtualApi, 'bench'],
      [hostApi, hostNamespace],
    ] as const) {
      for (const { metadata } of (await api.list(plural, namespace)).items) {
        found.add(`${plural} ${namespace} ${metadata.name} ${metadata.resourceVersion}`)
      }
    }
  }
  return found
}

function changed(before: ReadonlySet<string>, after: ReadonlySet<string>): number {
  return [...after].filter((version) => !before.has(version)).length
}

export function restartRows(name: string, pairs: number, restart: Restart): readonly Row[] {
  const row = (scenario: string, unit: string, ours: number, limit?: number): Row => ({
    scenario: `${name}: ${scenario}`,
    unit,
    ours,
    peer: undefined,
    ratio: limit === undefined || limit === 0 ? undefined : ours / limit,
    target: limit === undefined || limit === 0 ? undefined : { comparison: 'at most', ratio: 1 },
  })
  return [
    row(`restart with ${2 * pairs} in step, of 5 s`, 's', restart.seconds, 5),
    row('restart: writes', '', restart.writes),
    row('nothing changes: processor, of 1 %', '%', restart.idleCpuPercent, 1),
    row('nothing changes: writes', '', restart.idleWrites),
    row(`memory with ${2 * pairs} per side, of 150 MB`, 'MB', restart.residentMegabytes, 150),
  ]
}
