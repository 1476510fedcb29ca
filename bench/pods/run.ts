import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import type { Row } from '../contract.ts'
import { describeEnvironment, printEnvironment } from '../report/environment.ts'
import { printTable, verdictOf } from '../report/table.ts'
import { findPeer } from '../servers/peer-binaries.ts'
import { Api } from '../sync/api.ts'
import { measureCarrying } from './carrying.ts'
import { startEmbeddedHost } from './embedded-host.ts'
import { measureMany } from './many.ts'
import { startNode } from './node.ts'
import type { Place } from './place.ts'
import { measureReaching } from './reaching.ts'
import { measureRefusals } from './refusing.ts'
import { measureRollouts } from './rollout.ts'
import { startTenant } from './tenant.ts'

const resultsFolder = 'bench/results'

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '3' },
      host: { type: 'string', default: 'real' },
      many: { type: 'string', default: '2000' },
    },
  })
  const directory = mkdtempSync(join(tmpdir(), 'tenant-pods-bench-'))
  try {
    const isReal = values.host !== 'embedded'
    const search = findPeer(directory)
    if (isReal && search.outcome === 'missing') throw new Error(`there is no node to measure on: ${search.reason}`)
    const { apiServer, version } = search.outcome === 'found' && isReal ? search.binaries : embedded
    const environment = describeEnvironment(directory, version, systemClock.now())
    const rows = await (isReal
      ? measure(dirname(apiServer), directory, Number(values.rounds))
      : measureEmbedded(directory, Number(values.many)))
    process.stdout.write(`\n${printEnvironment(environment)}\n${printTable(rows)}`)
    mkdirSync(resultsFolder, { recursive: true })
    const results = { environment, rows: rows.map((row) => ({ ...row, verdict: verdictOf(row) })) }
    const file = join(resultsFolder, `pods-${environment.date.replaceAll(':', '-')}.json`)
    writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function measure(programs: string, directory: string, rounds: number): Promise<readonly Row[]> {
  const node = await startNode(programs, join(directory, 'node'))
  const hostApi = new Api(node.subject, 8)
  const onHost = (namespace: string): Place => ({
    subject: node.subject,
    api: hostApi,
    namespace,
    kubeconfig: node.kubeconfig,
  })
  try {
    for (const namespace of ['tenant', 'bare']) await hostApi.createNamespace(namespace)
    const tenant = await startTenant(node, join(directory, 'tenant'), 'tenant')
    const virtualApi = new Api(tenant.subject, 8)
    const virtual: Place = { ...tenant, api: virtualApi, namespace: 'default' }
    const both = { ours: virtual, peer: onHost('bare') }
    try {
      say('a Pod there, and its status back …')
      const rows = [...(await measureCarrying({ virtual, host: onHost('tenant'), bare: onHost('bare') }))]
      say('Pods that are refused …')
      rows.push(await measureRefusals(virtual, onHost('tenant')))
      say('into Pods …')
      rows.push(...(await measureReaching(both, node.kubectl)))
      say('Deployments …')
      if (rounds > 0) rows.push(await measureRollouts(both, rounds))
      return rows
    } finally {
      await virtualApi.close()
      await tenant.subject.stop()
    }
  } finally {
    await hostApi.close()
    await node.subject.stop()
  }
}

const embedded = { apiServer: '', version: 'none' }

async function measureEmbedded(directory: string, many: number): Promise<readonly Row[]> {
  const node = await startEmbeddedHost(join(directory, 'host'))
  const { subject, kubeconfig } = node
  const hostApi = new Api(subject, 8)
  const onHost = (namespace: string): Place => ({ subject, api: hostApi, namespace, kubeconfig })
  try {
    for (const namespace of ['tenant', 'bare']) await hostApi.createNamespace(namespace)
    const tenant = await startTenant(node, join(directory, 'tenant'), 'tenant')
    const virtualApi = new Api(tenant.subject, 8)
    try {
      const virtual: Place = { ...tenant, api: virtualApi, namespace: 'default' }
      const rows = await measureCarrying({ virtual, host: onHost('tenant'), bare: onHost('bare') })
      if (many === 0) return rows
      say(`${many} Pods …`)
      return [...rows, ...(await measureMany(virtual, onHost('tenant'), many))]
    } finally {
      await virtualApi.close()
      await tenant.subject.stop()
    }
  } finally {
    await hostApi.close()
    await subject.stop()
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
