import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { printKubeconfig } from '../../src/cluster/kubeconfig.ts'
import type { Launch, Subject } from '../contract.ts'
import { launchPeer } from '../servers/peer.ts'
import type { PeerBinaries } from '../servers/peer-binaries.ts'
import { startProcess } from '../servers/process.ts'
import { freePort, until } from '../servers/ready.ts'

const entryFile = process.env.TENANT_BENCH_ENTRY ?? 'dist/cli/main.js'
const extraNodeFlags = process.env.TENANT_BENCH_NODE_FLAGS?.split(' ') ?? []

/** The controllers that both have. Neither server has nodes, so node controllers are left out. */
const peerControllers =
  'deployment,replicaset,endpoint,endpointslice,garbagecollector,namespace,serviceaccount,job,statefulset,daemonset,disruption'

export interface EngineOptions {
  /** Absent: an empty one. */
  readonly home?: string
  readonly controllers?: string
}

/** Only the engine, in one process. */
export function launchEngine(directory: string, options: EngineOptions = {}): Launch {
  return async () => {
    const { home = mkdtempSync(join(directory, 'engine-')), controllers = 'all' } = options
    const port = await freePort()
    const logFile = join(home, 'server.log')
    const startedAt = performance.now()
    const serving = ['apiserver', '--data-dir', home, '--port', String(port), '--controllers', controllers]
    const server = startProcess(process.execPath, [...extraNodeFlags, entryFile, ...serving], logFile)
    await until('the engine', [server], () => /^ready$/m.test(readFileSync(logFile, 'utf8')))
    return {
      role: 'ours',
      host: '127.0.0.1',
      port,
      authority: readFileSync(join(home, 'pki', 'ca.crt'), 'utf8'),
      token: readFileSync(join(home, 'admin.key'), 'utf8').trim(),
      processIds: [server.id],
      startMs: performance.now() - startedAt,
      stop: () => server.stop(),
    }
  }
}

/** kube-apiserver, etcd and kube-controller-manager, with limits raised until they no longer matter. */
export function launchPeerWithControllers(directory: string, binaries: PeerBinaries): Launch {
  return async () => {
    const peer = await launchPeer(directory, binaries)()
    const home = mkdtempSync(join(directory, 'manager-'))
    const program = join(dirname(binaries.apiServer), 'kube-controller-manager')
    const manager = startProcess(program, managerFlags(home, peer), join(home, 'manager.log'))
    return {
      ...peer,
      processIds: [...peer.processIds, manager.id],
      stop: async () => {
        await manager.stop()
        await peer.stop()
      },
    }
  }
}

function managerFlags(home: string, { host, port, authority, token }: Subject): readonly string[] {
  const kubeconfig = join(home, 'kubeconfig')
  const context = { name: 'peer', server: `https://${host}:${port}`, certificateAuthority: authority, token }
  writeFileSync(kubeconfig, printKubeconfig([context]), { mode: 0o600 })
  const syncs = ['deployment', 'replicaset', 'endpoint', 'service-endpoint'].map(
    (each) => `--concurrent-${each}-syncs=50`,
  )
  return [
    `--kubeconfig=${kubeconfig}`,
    `--controllers=${peerControllers}`,
    '--leader-elect=false',
    '--port=0',
    '--secure-port=0',
    '--kube-api-qps=10000',
    '--kube-api-burst=20000',
    ...syncs,
  ]
}
