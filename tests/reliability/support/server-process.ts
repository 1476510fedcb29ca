import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { freeze } from '../../support/freeze.ts'
import { builtCli } from './built-cli.ts'

/** How a process ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** The real server in a process of its own. */
export interface ServerProcess {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly token: string
  /** PEM. */
  readonly authority: string
  readonly ended: Promise<Exit>
  /** Asks it to end, as an init system does. */
  stop(): Promise<Exit>
  /** Ends it in the middle of whatever it does. */
  kill(): Promise<Exit>
  /** Stops its time, connections stay open. */
  freeze(): void
  thaw(): void
}

export interface ServerProcessOptions {
  /** `file:DIR` or `etcd:URL`. */
  readonly store: string
  /** Certificates and keys; servers that share it accept the same token. */
  readonly directory: string
  readonly port?: number
  readonly flags?: readonly string[]
  /** A file to write messages to, instead of keeping them. */
  readonly stderr?: number
}

const patienceMs = 40_000

/** Resolves when it serves. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { directory, port = await freePort() } = options
  const running = runServer({ ...options, port })
  await untilReady(running)
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    pid: running.child.pid ?? 0,
    token: adminKeyIn(directory) ?? '',
    authority: readFileSync(join(directory, 'pki/ca.crt'), 'utf8'),
    ended: running.ended,
    stop: () => end(running, 'SIGTERM'),
    kill: () => end(running, 'SIGKILL'),
    freeze: () => freeze(running.child.pid),
    thaw: () => running.child.kill('SIGCONT'),
  }
}

/** Nothing where another replica has made it. */
export function adminKeyIn(directory: string): string | undefined {
  const file = join(directory, 'admin.key')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Exit>
  readonly ready: Promise<void>
}

/** Runs the command to its end, whether or not it ever serves. */
export function runServer({ store, directory, port = 0, flags = [], stderr }: ServerProcessOptions): Running {
  const args = ['platform', 'serve', '--store', store, '--port', String(port), '--data-dir', directory, ...flags]
  const child = spawn(process.execPath, [builtCli(), ...args], { stdio: ['ignore', 'pipe', stderr ?? 'pipe'] })
  const output = { stdout: '', stderr: '' }
  const ready = new Promise<void>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text
      if (/^ready$/m.test(output.stdout)) resolve()
    })
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr = (output.stderr + text).slice(-20_000)
  })
  const killOnExit = () => child.kill('SIGKILL')
  process.once('exit', killOnExit)
  const ended = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => {
      process.off('exit', killOnExit)
      resolve({ code, signal, ...output })
    })
  })
  return { child, ended, ready }
}

async function untilReady({ child, ended, ready }: Running): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), patienceMs)
  })
  const outcome = await Promise.race([ready, ended, late])
  clearTimeout(timer)
  if (outcome === undefined) return
  child.kill('SIGKILL')
  const { code, signal, stderr } = await ended
  throw new Error(
    `the server did not become ready (${outcome === 'late' ? 'too slow' : `ended with ${code ?? signal}`}): ${stderr}`,
  )
}

function end({ child, ended }: Running, signal: NodeJS.Signals): Promise<Exit> {
  child.kill(signal)
  return ended
}
