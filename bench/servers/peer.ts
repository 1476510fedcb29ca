import { createPublicKey } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureCertificates } from '../../src/base/certificates/ensure.ts'
import { systemClock } from '../../src/base/clock.ts'
import { generateSigningKeyPem } from '../../src/base/keys/keypair.ts'
import { systemRandom } from '../../src/base/random.ts'
import type { Launch } from '../contract.ts'
import { etcdEnvironment, type PeerBinaries } from './peer-binaries.ts'
import { type ServerProcess, startProcess } from './process.ts'
import { freePort, until, untilReady } from './ready.ts'

/** kube-apiserver with etcd, both with their defaults. Its certificates and keys are created before the clock starts. */
export function launchPeer(directory: string, binaries: PeerBinaries): Launch {
  return async () => {
    const home = mkdtempSync(join(directory, 'peer-'))
    const files = await prepareFiles(home)
    const ports = { etcd: await freePort(), etcdPeer: await freePort(), api: await freePort() }
    const startedAt = performance.now()
    const started: ServerProcess[] = []
    const stop = async () => {
      for (const each of started.toReversed()) await each.stop()
    }
    try {
      started.push(startProcess(binaries.etcd, etcdFlags(home, ports), join(home, 'etcd.log'), etcdEnvironment()))
      await until('etcd', started, () => isHealthy(ports.etcd))
      const flags = apiServerFlags(files, ports)
      started.push(startProcess(binaries.apiServer, flags, join(home, 'kube-apiserver.log')))
      const { authority, token } = files
      await untilReady({ port: ports.api, path: '/readyz', authority: () => authority, token: () => token }, started)
    } catch (error) {
      await stop()
      throw error
    }
    return {
      role: 'peer',
      host: '127.0.0.1',
      port: ports.api,
      authority: files.authority,
      token: files.token,
      processIds: started.map(({ id }) => id),
      startMs: performance.now() - startedAt,
      stop,
    }
  }
}

interface PeerFiles {
  readonly folder: string
  readonly authority: string
  readonly token: string
}

interface Ports {
  readonly etcd: number
  readonly etcdPeer: number
  readonly api: number
}

async function prepareFiles(home: string): Promise<PeerFiles> {
  const { authority } = await ensureCertificates({ directory: home, name: 'server', names: [], clock: systemClock })
  const signingKey = await generateSigningKeyPem()
  writeFileSync(join(home, 'sa.key'), signingKey, { mode: 0o600 })
  writeFileSync(join(home, 'sa.pub'), createPublicKey(signingKey).export({ type: 'spki', format: 'pem' }))
  const token = Buffer.from(systemRandom.bytes(32)).toString('base64url')
  writeFileSync(join(home, 'tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 })
  return { folder: home, authority, token }
}

function etcdFlags(home: string, { etcd, etcdPeer }: Ports): readonly string[] {
  const client = `http://127.0.0.1:${etcd}`
  const peer = `http://127.0.0.1:${etcdPeer}`
  return Object.entries({
    name: 'bench',
    'data-dir': join(home, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `bench=${peer}`,
  }).map(asFlag)
}

/** The advertised address is reserved for documentation: it is only recorded, and no client connects to it. */
function apiServerFlags({ folder }: PeerFiles, { etcd, api }: Ports): readonly string[] {
  return Object.entries({
    'etcd-servers': `http://127.0.0.1:${etcd}`,
    'bind-address': '127.0.0.1',
    'secure-port': String(api),
    'advertise-address': '192.0.2.1',
    'service-cluster-ip-range': '10.96.0.0/16',
    'cert-dir': folder,
    'tls-cert-file': join(folder, 'server.crt'),
    'tls-private-key-file': join(folder, 'server.key'),
    'token-auth-file': join(folder, 'tokens.csv'),
    'authorization-mode': 'RBAC',
    'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
    'service-account-key-file': join(folder, 'sa.pub'),
    'service-account-signing-key-file': join(folder, 'sa.key'),
  }).map(asFlag)
}

function asFlag([name, value]: readonly [string, string]): string {
  return `--${name}=${value}`
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health`)
    return answer.ok && (await answer.text()).includes('"true"')
  } catch {
    return false
  }
}
