import { createPublicKey } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, request } from 'undici'
import { ensureCertificates } from '../../../src/base/certificates/ensure.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { generateSigningKeyPem } from '../../../src/base/keys/keypair.ts'
import { systemRandom } from '../../../src/base/random.ts'
import { printKubeconfig } from '../../../src/cluster/kubeconfig.ts'
import { freePort } from '../network/free-port.ts'
import { patientAgent } from '../network/patient-agent.ts'
import { freeze } from '../programs/freeze.ts'
import { type Program, startProgram } from '../programs/program.ts'
import type { KubernetesPrograms } from './kubernetes-programs.ts'
import type { RunningCluster } from './running-cluster.ts'

const patienceMs = 240_000

export interface Kubernetes extends RunningCluster {
  /** Starts controllers, such as `endpointslicemirroring`; `*` for all default ones. They run until the end. */
  startControllers(names: string): Promise<void>
}

export interface KubernetesOptions {
  readonly serviceRange?: string
  readonly flags?: readonly string[]
}

interface Home {
  readonly folder: string
  readonly token: string
  readonly authority: string
  readonly ports: { readonly etcd: number; readonly etcdPeer: number; readonly api: number; readonly manager: number }
}

/** A real kube-apiserver over a real etcd, each a separate process, ready to serve. */
export async function startKubernetes(
  programs: KubernetesPrograms,
  options: KubernetesOptions = {},
): Promise<Kubernetes> {
  const home = await prepareHome()
  const { ports, token, authority, folder } = home
  const url = `https://127.0.0.1:${ports.api}`
  const kubeconfig = join(folder, 'kubeconfig')
  const context = { name: 'kubernetes', server: url, certificateAuthority: authority, token }
  writeFileSync(kubeconfig, printKubeconfig([context]), { mode: 0o600 })
  const agent = patientAgent({ ca: authority })
  // It reports that it is ready before it has created the namespace.
  const readyPaths = ['/readyz', '/api/v1/namespaces/default']
  const isReady = async () => {
    for (const path of readyPaths) if (!(await answersOk(url + path, agent, token))) return false
    return true
  }

  let etcd: Program | undefined
  let api: Program | undefined
  let manager: Program | undefined
  const startApi = async () => {
    api = startProgram({ program: programs.apiServer, args: apiServerFlags(home, options) })
    await api.until('ready', isReady, patienceMs)
  }
  const remove = async () => {
    for (const each of [manager, api, etcd]) await each?.kill()
    await agent.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    etcd = startProgram({ program: programs.etcd, args: etcdFlags(home), environment: etcdEnvironment() })
    await etcd.until('healthy', () => answersOk(`http://127.0.0.1:${ports.etcd}/health`, agent), patienceMs)
    await startApi()
  } catch (error) {
    await remove()
    throw error
  }
  return {
    url,
    port: ports.api,
    token,
    authority,
    kubeconfig,
    processIds: () => [etcd, api].map((each) => each?.pid ?? 0),
    kill: async () => api?.kill(),
    start: startApi,
    freeze: () => freeze(api?.pid),
    thaw: () => api?.signal('SIGCONT'),
    startControllers: async (names) => {
      const { controllerManager } = programs
      if (controllerManager === undefined) throw new Error('there is no kube-controller-manager beside kube-apiserver')
      manager = startProgram({
        program: controllerManager,
        args: managerFlags(home, kubeconfig, names, programs.minor),
      })
      const health = `https://127.0.0.1:${ports.manager}/healthz`
      const anyAgent = patientAgent({ rejectUnauthorized: false })
      await manager.until('healthy', () => answersOk(health, anyAgent), patienceMs).finally(() => anyAgent.destroy())
    },
    remove,
  }
}

async function prepareHome(): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), 'tenant-kubernetes-'))
  const { authority } = await ensureCertificates({ directory: folder, name: 'server', names: [], clock: systemClock })
  const signingKey = await generateSigningKeyPem()
  writeFileSync(join(folder, 'sa.key'), signingKey, { mode: 0o600 })
  writeFileSync(join(folder, 'sa.pub'), createPublicKey(signingKey).export({ type: 'spki', format: 'pem' }))
  const token = Buffer.from(systemRandom.bytes(32)).toString('base64url')
  writeFileSync(join(folder, 'tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 })
  mkdirSync(join(folder, 'etcd'))
  chmodSync(join(folder, 'etcd'), 0o700)
  const [etcd, etcdPeer, api, manager] = [await freePort(), await freePort(), await freePort(), await freePort()]
  return { folder, token, authority, ports: { etcd, etcdPeer, api, manager } }
}

function etcdFlags({ folder, ports }: Home): readonly string[] {
  const [client, peer] = [`http://127.0.0.1:${ports.etcd}`, `http://127.0.0.1:${ports.etcdPeer}`]
  return flags({
    name: 'tests',
    'data-dir': join(folder, 'etcd'),
    'log-level': 'error',
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `tests=${peer}`,
  })
}

/** Old versions of etcd start on other architectures only if this variable names them. */
function etcdEnvironment(): NodeJS.ProcessEnv {
  return process.arch === 'x64' ? process.env : { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch }
}

/** The advertised address is reserved for documentation: it is only recorded, and no client connects to it. */
function apiServerFlags({ folder, ports }: Home, options: KubernetesOptions): readonly string[] {
  const { serviceRange = '10.96.0.0/16', flags: more = [] } = options
  return flags({
    'etcd-servers': `http://127.0.0.1:${ports.etcd}`,
    'bind-address': '127.0.0.1',
    'secure-port': String(ports.api),
    'advertise-address': '192.0.2.1',
    'service-cluster-ip-range': serviceRange,
    'cert-dir': folder,
    'tls-cert-file': join(folder, 'server.crt'),
    'tls-private-key-file': join(folder, 'server.key'),
    'token-auth-file': join(folder, 'tokens.csv'),
    'authorization-mode': 'RBAC',
    'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
    'service-account-key-file': join(folder, 'sa.pub'),
    'service-account-signing-key-file': join(folder, 'sa.key'),
  }).concat(more)
}

/** Versions before 1.24 have a second, open port, unless it is disabled. */
function managerFlags({ folder, ports }: Home, kubeconfig: string, controllers: string, minor: number) {
  return flags({
    ...(minor < 24 ? { port: '0' } : {}),
    kubeconfig,
    'authentication-kubeconfig': kubeconfig,
    'authorization-kubeconfig': kubeconfig,
    'bind-address': '127.0.0.1',
    'secure-port': String(ports.manager),
    'cert-dir': join(folder, 'manager'),
    'leader-elect': 'false',
    'root-ca-file': join(folder, 'ca.crt'),
    'service-account-private-key-file': join(folder, 'sa.key'),
    controllers,
  })
}

function flags(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`)
}

async function answersOk(url: string, dispatcher: Agent, token?: string): Promise<boolean> {
  try {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const { statusCode, body } = await request(url, {
      dispatcher,
      headers,
      headersTimeout: 20_000,
      bodyTimeout: 20_000,
    })
    await body.dump()
    return statusCode === 200
  } catch {
    return false
  }
}
