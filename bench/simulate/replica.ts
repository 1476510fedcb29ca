import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { usageOf, waitedMsOf } from '../servers/usage.ts'

export interface ReplicaOptions {
  /** `etcd:URL`. */
  readonly store: string
  /** Replicas share certificates and the administrator's key. */
  readonly directory: string
  readonly port: number
  readonly flags: readonly string[]
  /** The built program. */
  readonly cli: string
}

/** The memory of one replica of the platform, after garbage collection. */
export interface ReplicaMemory {
  readonly heapBytes: number
  /** Buffers outside the heap. */
  readonly externalBytes: number
  readonly residentBytes: number
}

/** A platform as users run it, plus a listener that reports the size of its heap. */
export interface Replica {
  readonly url: string
  readonly pid: number
  memory(): Promise<ReplicaMemory>
  cpuSeconds(): number
  waitedMs(): number
  kill(): Promise<void>
  stop(): Promise<void>
}

const patienceMs = 60_000

const tellMemory = `
process.on('message', () => {
  globalThis.gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send({ heapBytes: heapUsed, externalBytes: external, residentBytes: rss })
})
process.channel.unref()`

const nodeFlags = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(tellMemory)}`]

/** Resolves when it serves. */
export async function startReplica({ store, directory, port, flags, cli }: ReplicaOptions): Promise<Replica> {
  const logFile = join(directory, `replica-${port}.log`)
  const log = openSync(logFile, 'a')
  const where = ['--store', store, '--port', String(port), '--data-dir', directory, '--audit-log', '-']
  const more = process.env.TENANT_BENCH_NODE_FLAGS?.split(' ') ?? []
  const child = spawn(process.execPath, [...nodeFlags, ...more, cli, 'platform', 'serve', ...where, ...flags], {
    stdio: ['ignore', 'pipe', log, 'ipc'],
  })
  closeSync(log)
  const killOnExit = () => child.kill('SIGKILL')
  process.once('exit', killOnExit)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      process.off('exit', killOnExit)
      resolve()
    })
  })
  await untilReady(child, logFile)
  const pid = child.pid ?? 0
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return {
    url: `https://127.0.0.1:${port}`,
    pid,
    memory: () => memoryOf(child),
    cpuSeconds: () => usageOf([pid]).cpuSeconds,
    waitedMs: () => waitedMsOf(pid),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

async function untilReady(child: ChildProcess, logFile: string): Promise<void> {
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 20) {
    if (/^ready$/m.test(printed)) return
    if (child.exitCode !== null) throw new Error(`the platform ended:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`)
    await pause(20)
  }
  child.kill('SIGKILL')
  throw new Error('the platform did not become ready')
}

function memoryOf(child: ChildProcess): Promise<ReplicaMemory> {
  return new Promise((resolve) => {
    child.once('message', (memory) => resolve(memory as ReplicaMemory))
    child.send({})
  })
}
