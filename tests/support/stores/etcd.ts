import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../network/free-port.ts'
import { freeze } from '../programs/freeze.ts'

const binary = '/usr/bin/etcd'
const patienceMs = 240_000

/** For stores in tests that are not about time: a busy machine may keep an etcd from answering for seconds. */
export const patientStore = { timeoutMs: 60_000 }

/** Why tests that need etcd cannot run here; `undefined` if they can. In CI a missing etcd is a failure, not a skip. */
export function missingEtcd(): string | undefined {
  if (existsSync(binary)) return undefined
  const reason = `${binary} is not installed (Debian package etcd-server)`
  if (process.env.CI === 'true') throw new Error(reason)
  return reason
}

export interface EtcdTls {
  readonly caFile: string
  readonly certFile: string
  readonly keyFile: string
}

/** The fields that tests use. Bytes are in base64. */
export interface EtcdAnswer {
  readonly alarms?: readonly object[]
  readonly kvs?: readonly { readonly value?: string }[]
}

export interface Etcd {
  readonly endpoint: string
  /** The directory of its data. */
  readonly directory: string
  /** Ends the process and keeps ports and data. */
  stop(): Promise<void>
  /** Starts it again with the same ports and data. */
  start(): Promise<void>
  /** Suspends the process: connections stay open and get no answer. */
  freeze(): void
  thaw(): void
  /** Calls it through its HTTP gateway. Throws unless the status is 200. */
  call(path: string, body: object): Promise<EtcdAnswer>
  /** Clears its alarm about missing disk space. */
  disarm(): Promise<void>
  /** Ends the process and removes its data. */
  remove(): Promise<void>
}

/** A real etcd on free loopback ports, ready to serve. With `tls`, clients must present a certificate too. */
export async function startEtcd(options: { readonly tls?: EtcdTls; readonly quotaBytes?: number } = {}): Promise<Etcd> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-etcd-'))
  const [clientPort, peerPort, healthPort] = [await freePort(), await freePort(), await freePort()]
  const endpoint = `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${clientPort}`
  const peer = `http://127.0.0.1:${peerPort}`
  const health = `http://127.0.0.1:${healthPort}`
  const flags = ['--data-dir', directory, '--listen-client-urls', endpoint, '--advertise-client-urls', endpoint]
  flags.push('--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`)
  flags.push('--listen-metrics-urls', health, '--log-level', 'error', ...tlsFlags(options.tls))
  if (options.quotaBytes !== undefined) flags.push('--quota-backend-bytes', String(options.quotaBytes))
  let child: ChildProcess | undefined
  const etcd: Etcd = {
    directory,
    endpoint,
    async start() {
      child = await startEtcdProcess(flags, `${health}/health`)
    },
    async stop() {
      if (child !== undefined) await stopEtcdProcess(child)
      child = undefined
    },
    freeze: () => freeze(child?.pid),
    thaw: () => child?.kill('SIGCONT'),
    async call(path, body) {
      const response = await fetch(`${endpoint}${path}`, { method: 'POST', body: JSON.stringify(body) })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
      return JSON.parse(text)
    },
    async disarm() {
      const path = '/v3/maintenance/alarm'
      const { alarms = [] } = await etcd.call(path, { action: 'GET' })
      for (const alarm of alarms) await etcd.call(path, { action: 'DEACTIVATE', ...alarm })
    },
    async remove() {
      await etcd.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
  try {
    await etcd.start()
    return etcd
  } catch (error) {
    await etcd.remove()
    throw error
  }
}

function tlsFlags(tls: EtcdTls | undefined): string[] {
  if (tls === undefined) return []
  return ['--cert-file', tls.certFile, '--key-file', tls.keyFile, '--trusted-ca-file', tls.caFile, '--client-cert-auth']
}

export async function startEtcdProcess(flags: readonly string[], healthUrl: string): Promise<ChildProcess> {
  const env = { ...process.env, ...(process.arch === 'arm64' ? { ETCD_UNSUPPORTED_ARCH: 'arm64' } : {}) }
  const child = spawn(binary, flags, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const killOnExit = () => child.kill('SIGKILL')
  process.once('exit', killOnExit)
  child.once('exit', () => process.off('exit', killOnExit))
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_000)
  })
  for (let waited = 0; waited < patienceMs; waited += 20) {
    if (child.exitCode !== null) throw new Error(`etcd ended with ${child.exitCode}: ${output}`)
    if (await isHealthy(healthUrl)) return child
    await delay(20)
  }
  child.kill('SIGKILL')
  throw new Error(`etcd did not start: ${output}`)
}

/** Killed, not asked to end: a pending shutdown would keep the ports for seconds. */
export async function stopEtcdProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

/** The ports accept connections long before the server answers on them. */
async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) })
    return (await response.text()).includes('"true"')
  } catch {
    return false
  }
}
