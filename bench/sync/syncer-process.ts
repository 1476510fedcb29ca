import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printKubeconfig } from '../../src/cluster/kubeconfig.ts'
import type { Subject } from '../contract.ts'
import { startProcess } from '../servers/process.ts'
import { freePort } from '../servers/ready.ts'

const entryFile = process.env.TENANT_BENCH_ENTRY ?? 'dist/cli/main.js'

export interface SyncerProcess {
  readonly id: number
  /** Throws if it is gone. */
  check(): void
  /** Its metrics, by name and labels as printed. */
  metrics(): Promise<ReadonlyMap<string, number>>
  stop(): Promise<void>
}

export interface Between {
  readonly virtual: Subject
  readonly host: Subject
  readonly tenant: string
  readonly hostNamespace: string
}

/** `tenant run` between two servers. Resolves when the process exists, not when it is in step. */
export async function startSyncer(directory: string, between: Between): Promise<SyncerProcess> {
  const home = mkdtempSync(join(directory, 'syncer-'))
  const file = (name: string) => join(home, name)
  writeFileSync(file('host'), kubeconfigOf(between.host), { mode: 0o600 })
  writeFileSync(file('virtual'), kubeconfigOf(between.virtual), { mode: 0o600 })
  writeFileSync(file('tenant.yaml'), 'policies: {sync: {annotations: {allowed: [example.com/]}}}')
  const port = await freePort()
  const args = [entryFile, 'run', '--name', between.tenant, '-n', between.hostNamespace, '-f', file('tenant.yaml')]
  args.push('--host-kubeconfig', file('host'), '--virtual-kubeconfig', file('virtual'))
  args.push('--status-port', String(port))
  const started = startProcess(process.execPath, args, file('log'))
  return {
    id: started.id,
    check: () => started.check(),
    metrics: async () => {
      started.check()
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined)
      return parseMetrics((await answer?.text()) ?? '')
    },
    stop: () => started.stop(),
  }
}

function kubeconfigOf({ host, port, authority, token }: Subject): string {
  const server = `https://${host}:${port}`
  return printKubeconfig([{ name: 'cluster', server, certificateAuthority: authority, token }])
}

function parseMetrics(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}
