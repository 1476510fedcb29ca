import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { printKubeconfig } from '../../src/cluster/kubeconfig.ts'
import type { Subject } from '../contract.ts'
import { startProcess } from '../servers/process.ts'
import { until } from '../servers/ready.ts'
import type { BenchNode } from './node.ts'

const entryFile = process.env.TENANT_BENCH_ENTRY ?? 'dist/cli/main.js'
const nodeFlags = process.env.TENANT_BENCH_NODE_FLAGS?.split(' ') ?? []
const port = 27_473
const dnsPort = 8063

export interface BenchTenant {
  readonly subject: Subject
  readonly kubeconfig: string
}

/**
 * A virtual cluster in a process beside the node, with its Pods on it. It continues where the previous process with the
 * same folder ended.
 */
export async function startTenant(
  node: Pick<BenchNode, 'subject' | 'address'>,
  folder: string,
  hostNamespace: string,
): Promise<BenchTenant> {
  mkdirSync(folder, { recursive: true })
  const file = (name: string) => join(folder, name)
  const { host, port: hostPort, authority, token } = node.subject
  const server = `https://${host}:${hostPort}`
  writeFileSync(file('host'), printKubeconfig([{ name: 'host', server, certificateAuthority: authority, token }]), {
    mode: 0o600,
  })
  const networking = { apiAddress: `${node.address}:${port}` }
  writeFileSync(file('tenant.yaml'), JSON.stringify({ networking }))
  const args = [...nodeFlags, entryFile, 'run', '--name', 'bench', '-n', hostNamespace, '-f', file('tenant.yaml')]
  args.push('--host-kubeconfig', file('host'), '--data-dir', file('data'), '--host', node.address)
  args.push('--port', String(port), '--dns-host', node.address, '--dns-port', String(dnsPort))
  const startedAt = performance.now()
  const started = startProcess(process.execPath, args, file('log'))
  await until('the virtual cluster', [started], () => /^ready$/m.test(readFileSync(file('log'), 'utf8')))
  const kubeconfig = file('data/kubeconfig')
  const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8'))
  const { 'certificate-authority-data': data } = clusters[0].cluster
  return {
    kubeconfig,
    subject: {
      role: 'ours',
      host: node.address,
      port,
      authority: Buffer.from(data, 'base64').toString(),
      token: users[0].user.token,
      processIds: [started.id],
      startMs: performance.now() - startedAt,
      stop: () => started.stop(),
    },
  }
}
