import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import type { Launch, Row } from '../contract.ts'
import { describeEnvironment, printEnvironment } from '../report/environment.ts'
import { printTable, verdictOf } from '../report/table.ts'
import { launchOurs } from '../servers/ours.ts'
import { launchPeer } from '../servers/peer.ts'
import { findPeer } from '../servers/peer-binaries.ts'
import { Api } from './api.ts'
import { measureChanges } from './changes.ts'
import { measureFirstSync } from './first-sync.ts'
import { measureRestart, restartRows, untilQuiet } from './in-step.ts'
import { plurals, virtualNamespace } from './objects.ts'
import { asNew, fillVirtual, postAll } from './population.ts'
import type { SyncBench } from './setting.ts'
import { startSyncer } from './syncer-process.ts'

const resultsFolder = 'bench/results'

interface Options {
  readonly pairs: number
  readonly rounds: number
  readonly hosts: readonly string[]
  readonly directory: string
}

async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  const directory = mkdtempSync(join(options.directory, 'tenant-sync-bench-'))
  try {
    const search = findPeer(directory)
    if (search.outcome === 'missing') say(`No real host: ${search.reason}.\n`)
    const version = search.outcome === 'found' ? search.binaries.version : 'none'
    const environment = describeEnvironment(directory, version, systemClock.now())
    const ours = launchOurs(directory, { withKeys: true })
    const rows: Row[] = []
    if (options.hosts.includes('real') && search.outcome === 'found') {
      rows.push(...(await measureHost('real', ours, launchPeer(directory, search.binaries), directory, options)))
    }
    if (options.hosts.includes('embedded')) {
      rows.push(...(await measureHost('embedded', ours, ours, directory, options)))
    }
    say(`\n${printEnvironment(environment)}\n${printTable(rows)}`)
    mkdirSync(resultsFolder, { recursive: true })
    const file = join(resultsFolder, `sync-${environment.date.replaceAll(':', '-')}.json`)
    const results = { environment, rows: rows.map((row) => ({ ...row, verdict: verdictOf(row) })) }
    writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`)
    say(`Written to ${file}\n`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The virtual cluster is the embedded engine in a separate process. */
async function measureHost(
  name: string,
  launchVirtual: Launch,
  launchHost: Launch,
  directory: string,
  { pairs, rounds }: Options,
): Promise<readonly Row[]> {
  const [virtual, host] = await Promise.all([launchVirtual(), launchHost()])
  const bench: SyncBench = { name, directory, virtual, host, virtualApi: new Api(virtual), hostApi: new Api(host) }
  try {
    await bench.virtualApi.createNamespace(virtualNamespace)
    const half = pairs / 2
    await fillVirtual(virtual, 0, half)
    await bench.hostApi.createNamespace('steady')
    const small = await restartAmong(bench, half)
    await fillVirtual(virtual, half, pairs)
    say(`${name}: first sync …\n`)
    const rows = [...(await measureFirstSync(bench, pairs, rounds))]
    say(`${name}: restart …\n`)
    const full = await restartAmong(bench, pairs)
    rows.push(...restartRows(name, pairs, full))
    rows.push(memoryRow(name, small.residentMegabytes, full.residentMegabytes))
    say(`${name}: changes …\n`)
    rows.push(...(await changesAmong(bench, pairs)))
    return rows
  } finally {
    await bench.virtualApi.close()
    await bench.hostApi.close()
    await virtual.stop()
    await host.stop()
  }
}

async function restartAmong(bench: SyncBench, pairs: number) {
  const syncer = await startSyncer(bench.directory, { ...bench, tenant: 'steady', hostNamespace: 'steady' })
  await untilQuiet(syncer, 2 * pairs).finally(() => syncer.stop())
  return measureRestart(bench, 'steady', pairs)
}

async function changesAmong(bench: SyncBench, pairs: number): Promise<readonly Row[]> {
  await bench.hostApi.createNamespace('bare-steady')
  for (const plural of plurals) {
    const { items } = await bench.hostApi.list(plural, 'steady')
    await postAll(
      bench.host,
      items.map((object) => asNew(plural, object, 'bare-steady')),
    )
  }
  const syncer = await startSyncer(bench.directory, { ...bench, tenant: 'steady', hostNamespace: 'steady' })
  try {
    await untilQuiet(syncer, 2 * pairs)
    return await measureChanges(bench, 'steady', pairs)
  } finally {
    await syncer.stop()
  }
}

function memoryRow(name: string, half: number, full: number): Row {
  return {
    scenario: `${name}: memory with all to memory with half of them`,
    unit: 'MB',
    ours: full,
    peer: half,
    ratio: full / half,
    target: { comparison: 'at most', ratio: 2 },
  }
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      pairs: { type: 'string', default: '5000' },
      rounds: { type: 'string', default: '2' },
      hosts: { type: 'string', default: 'real,embedded' },
      directory: { type: 'string', default: tmpdir() },
    },
  })
  return {
    pairs: Number(values.pairs),
    rounds: Number(values.rounds),
    hosts: values.hosts.split(','),
    directory: values.directory,
  }
}

function say(text: string): void {
  process.stdout.write(text)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
