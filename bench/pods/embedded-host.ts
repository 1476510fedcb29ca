import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { startProcess } from '../servers/process.ts'
import { freePort, until } from '../servers/ready.ts'
import type { BenchNode } from './node.ts'

const entryFile = process.env.TENANT_BENCH_ENTRY ?? 'dist/cli/main.js'

/** Only the engine as the host: it runs nothing, so only the way of a Pod to the host and back is measured. */
export async function startEmbeddedHost(folder: string): Promise<Omit<BenchNode, 'kubectl' | 'load'>> {
  mkdirSync(folder)
  const file = (name: string) => join(folder, name)
  const token = 'bench-token'
  writeFileSync(file('tokens'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 })
  const port = await freePort()
  const args = [entryFile, 'apiserver', '--data-dir', file('data'), '--port', String(port)]
  args.push('--token-auth-file', file('tokens'))
  const startedAt = performance.now()
  const started = startProcess(process.execPath, args, file('log'))
  await until('the host', [started], () => /^ready$/m.test(readFileSync(file('log'), 'utf8')))
  const kubeconfig = file('data/kubeconfig')
  const { clusters } = parse(readFileSync(kubeconfig, 'utf8'))
  return {
    subject: {
      role: 'peer',
      host: '127.0.0.1',
      port,
      authority: Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString(),
      token,
      processIds: [started.id],
      startMs: performance.now() - startedAt,
      stop: () => started.stop(),
    },
    address: '127.0.0.1',
    kubeconfig,
  }
}
