import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../src/base/clock.ts'
import type { Launch, Round, Row, Subject } from './contract.ts'
import { type BenchOptions, readOptions, type ScenarioName, usage } from './options.ts'
import { describeEnvironment, type Environment, printEnvironment } from './report/environment.ts'
import { printTable, verdictOf } from './report/table.ts'
import { atMost, comparedRow, subjectsOf } from './rounds.ts'
import type { Scenario } from './scenarios/contract.ts'
import { createNamespace, fill } from './scenarios/populate.ts'
import { postScenario } from './scenarios/post.ts'
import { getScenario, listScenario, objectCount } from './scenarios/reads.ts'
import { runScale } from './scenarios/scale.ts'
import { watchScenario } from './scenarios/watch.ts'
import { launchOurs } from './servers/ours.ts'
import { launchPeer } from './servers/peer.ts'
import { findPeer } from './servers/peer-binaries.ts'

const resultsFolder = 'bench/results'

const comparing: readonly (readonly [ScenarioName, Scenario])[] = [
  ['get', getScenario],
  ['list', listScenario],
  ['post', postScenario],
  ['watch', watchScenario],
]

async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  const directory = mkdtempSync(join(options.directory, 'tenant-bench-'))
  try {
    const search = findPeer(directory)
    if (search.outcome === 'missing') say(`No kube-apiserver and etcd to compare with: ${search.reason}.\n`)
    const peer = search.outcome === 'found' ? search.binaries : undefined
    const environment = describeEnvironment(directory, peer?.version ?? 'none', systemClock.now())
    const launches = {
      ours: launchOurs(directory, { withKeys: true }),
      peer: peer === undefined ? undefined : launchPeer(directory, peer),
      ourFirst: launchOurs(directory, { withKeys: false }),
    }
    report(await runAll(launches, options), environment)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Launches extends Round<Launch> {
  /** Ours when not even keys exist yet. */
  readonly ourFirst: Launch
}

async function runAll(launches: Launches, options: BenchOptions): Promise<readonly Row[]> {
  const rows: Row[] = []
  if (comparing.some(([name]) => options.scenarios.includes(name)) || options.scenarios.includes('start')) {
    rows.push(...(await compare(launches, options)))
  }
  if (options.scenarios.includes('scale')) {
    say('scale …\n')
    rows.push(...(await runScale(launches.ours, options)))
  }
  return rows
}

async function compare(launches: Launches, options: BenchOptions): Promise<readonly Row[]> {
  const first = options.scenarios.includes('start') ? [await measureFirstStart(launches.ourFirst)] : []
  const { starts, subjects } = await startBoth(launches, options.scenarios.includes('start') ? options.rounds : 1)
  try {
    const rows = [
      comparedRow({ scenario: 'Start to ready', unit: 'ms' }, starts, (startMs) => startMs, atMost(1 / 6)),
      ...first,
    ]
    for (const subject of subjectsOf(subjects)) {
      await createNamespace(subject)
      await fill(subject, 0, objectCount)
    }
    for (const [name, scenario] of comparing) {
      if (!options.scenarios.includes(name)) continue
      say(`${name} …\n`)
      rows.push(...(await scenario({ subjects, options })))
    }
    return rows
  } finally {
    for (const subject of subjectsOf(subjects)) await subject.stop()
  }
}

async function measureFirstStart(launch: Launch): Promise<Row> {
  const subject = await launch()
  await subject.stop()
  const name = { scenario: 'Start to ready: making its keys too', unit: 'ms' }
  return { ...name, ours: subject.startMs, peer: undefined, ratio: undefined, target: undefined }
}

/** Starts both as often as requested; the last two keep running. */
async function startBoth(
  launches: Round<Launch>,
  rounds: number,
): Promise<{ readonly starts: readonly Round<number>[]; readonly subjects: Round<Subject> }> {
  const starts: Round<number>[] = []
  for (;;) {
    say('start …\n')
    const ours = await launches.ours()
    const peer = await launches.peer?.()
    starts.push({ ours: ours.startMs, peer: peer?.startMs })
    if (starts.length === rounds) return { starts, subjects: { ours, peer } }
    await ours.stop()
    await peer?.stop()
  }
}

function report(rows: readonly Row[], environment: Environment): void {
  say(`\n${printEnvironment(environment)}\n${printTable(rows)}`)
  const missed = rows.filter((row) => verdictOf(row) === 'missed').map(({ scenario }) => scenario)
  say(missed.length === 0 ? '\nEvery target that could be measured is met.\n' : `\nMissed: ${missed.join(', ')}.\n`)
  mkdirSync(resultsFolder, { recursive: true })
  const file = join(resultsFolder, `${environment.date.replaceAll(':', '-')}.json`)
  const results = { environment, rows: rows.map((row) => ({ ...row, verdict: verdictOf(row) })) }
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`)
  say(`Written to ${file}\n`)
}

function say(text: string): void {
  process.stdout.write(text)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
  process.exitCode = 1
})
