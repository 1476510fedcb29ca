import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import type { Round, Row, Subject } from '../contract.ts'
import { type Limit, printLimits } from '../controllers/limits.ts'
import { launchEngine } from '../controllers/subjects.ts'
import { describeEnvironment, printEnvironment } from '../report/environment.ts'
import { printTable, verdictOf } from '../report/table.ts'
import { subjectsOf } from '../rounds.ts'
import { launchPeer } from '../servers/peer.ts'
import { findPeer, type PeerBinaries } from '../servers/peer-binaries.ts'
import { Api } from '../sync/api.ts'
import { listPods, postDeployments } from './compared.ts'
import { measureCustom } from './custom-cost.ts'
import { namespace } from './deployment.ts'
import { measureIdleTenant } from './idle-tenant.ts'
import { measureDefinitions } from './many-definitions.ts'

/**
 * Workload kinds and custom kinds: `tenant apiserver` without controllers against kube-apiserver and etcd.
 * `npm run build && npx tsc -p tsconfig.bench.json && cp package.json dist-bench && node
 * dist-bench/bench/kinds/run.js`.
 */

const resultsFolder = 'bench/results'
const names = ['post', 'list', 'custom', 'definitions', 'idle'] as const

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: names.join(',') },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '3' },
      definitions: { type: 'string', default: '500' },
      directory: { type: 'string', default: tmpdir() },
    },
  })
  const asked = new Set(values.only.split(','))
  const directory = mkdtempSync(join(values.directory, 'tenant-bench-kinds-'))
  const options = { scenarios: [], rounds: Number(values.rounds), roundMs: Number(values.seconds) * 1000, directory }
  try {
    const search = findPeer(directory)
    const binaries = search.outcome === 'found' ? search.binaries : undefined
    const environment = describeEnvironment(directory, binaries?.version ?? 'none', systemClock.now())
    const rows: Row[] = []
    const limits: Limit[] = []
    if (asked.has('post') || asked.has('list')) {
      await withBoth(directory, binaries, async (subjects) => {
        if (asked.has('post')) rows.push(...(await postDeployments({ subjects, options })))
        if (asked.has('list')) rows.push(...(await listPods({ subjects, options })))
      })
    }
    if (asked.has('custom')) {
      await withBoth(directory, undefined, async ({ ours }) => {
        rows.push(...(await measureCustom(ours, options)))
      })
    }
    const count = Number(values.definitions)
    if (asked.has('definitions')) limits.push(...(await measureDefinitions(directory, count, options.rounds)))
    if (asked.has('idle')) limits.push(...(await measureIdleTenant(directory, options.rounds)))
    process.stdout.write(`\n${printEnvironment(environment)}\n${printTable(rows)}\n${printLimits(limits)}`)
    mkdirSync(resultsFolder, { recursive: true })
    const results = { environment, rows: rows.map((row) => ({ ...row, verdict: verdictOf(row) })), limits }
    const file = join(resultsFolder, `kinds-${environment.date.replaceAll(':', '-')}.json`)
    writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Without controllers on either side, and with the account that Pods need. */
async function withBoth(
  directory: string,
  binaries: PeerBinaries | undefined,
  measure: (subjects: Round<Subject>) => Promise<void>,
): Promise<void> {
  const ours = await launchEngine(directory, { controllers: 'none' })()
  const peer = await (binaries && launchPeer(directory, binaries)())
  const subjects = { ours, peer }
  try {
    for (const subject of subjectsOf(subjects)) await prepare(subject)
    await measure(subjects)
  } finally {
    for (const subject of subjectsOf(subjects)) await subject.stop()
  }
}

async function prepare(subject: Subject): Promise<void> {
  const api = new Api(subject)
  await api.createNamespace(namespace)
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
  // If a controller has already created it, there is nothing to do.
  await api.send('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, account).catch(() => {})
  await api.close()
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await main(process.argv.slice(2))
