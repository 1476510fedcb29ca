import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../support/network/free-port.ts'
import { builtCli } from '../../support/programs/built-cli.ts'
import { freeze } from '../../support/programs/freeze.ts'

/** How a process ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** The real server in a separate process. */
export interface ServerProcess {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly token: string
  /** PEM. */
  readonly authority: string
  readonly ended: Promise<Exit>
  /** Asks it to end, like an init system. */
  stop(): Promise<Exit>
  /** Kills it at an arbitrary moment. */
  kill(): Promise<Exit>
  /** Stops the process; connections stay open. */
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
  /** Another build of the program. */
  readonly cli?: string
  /** A file to write messages to, instead of keeping them. */
  readonly stderr?: number
}

const patienceMs = 240_000

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
    stop: () => endProgram(running, 'SIGTERM'),
    kill: () => endProgram(running, 'SIGKILL'),
    freeze: () => freeze(running.child.pid),
    thaw: () => running.child.kill('SIGCONT'),
  }
}

/** Undefined if another replica has created it. */
export function adminKeyIn(directory: string): string | undefined {
  const file = join(directory, 'admin.key')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

export interface RunningProgram {
  readonly child: ChildProcess
  readonly ended: Promise<Exit>
  readonly ready: Promise<void>
}

/** Runs the command to its end, whether or not it ever serves. */
export function runServer(options: ServerProcessOptions): RunningProgram {
  const { store, directory, port = 0, flags = [], stderr, cli } = options
  const args = ['platform', 'serve', '--store', store, '--port', String(port), '--data-dir', directory, ...flags]
  return runProgram(args, stderr, cli)
}

/** A command that reports when it is ready. */
export function runProgram(args: readonly string[], stderr?: number, cli = builtCli()): RunningProgram {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', stderr ?? 'pipe'] })
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

/** How a server ends that must not start. If it stays, it is killed, and the error says what it was doing. */
export async function refusedStart(options: ServerProcessOptions): Promise<Exit> {
  const { child, ended } = runServer(options)
  const exit = await withinPatience(ended)
  if (exit !== undefined) return exit
  const threads = threadsOf(child.pid ?? 0)
  child.kill('SIGKILL')
  const { stdout, stderr } = await ended
  throw new Error(`the server did not end; it printed:\n${stdout}${stderr}\nits threads:\n${threads.join('\n')}`)
}

/** Name, state and kernel wait channel of each thread. */
function threadsOf(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [name = '', state = '', wait = ''] = ['comm', 'stat', 'wchan'].map((file) =>
      readFileSync(`/proc/${pid}/task/${thread}/${file}`, 'utf8').trim(),
    )
    return `${thread} ${name} ${state.replace(/^.*\) /, '').charAt(0)} ${wait}`
  })
}

/** `undefined` if it takes too long. */
async function withinPatience<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs)
  })
  const outcome = await Promise.race([promise, late])
  clearTimeout(timer)
  return outcome
}

export async function untilReady({ child, ended, ready }: RunningProgram): Promise<void> {
  const outcome = await withinPatience(Promise.race([ready.then(() => 'ready'), ended]))
  if (outcome === 'ready') return
  child.kill('SIGKILL')
  const { code, signal, stderr } = await ended
  throw new Error(
    `the server did not become ready (${outcome === undefined ? 'too slow' : `ended with ${code ?? signal}`}): ${stderr}`,
  )
}

/** Sends the signal and waits for the end. */
export function endProgram({ child, ended }: RunningProgram, signal: NodeJS.Signals): Promise<Exit> {
  child.kill(signal)
  return ended
}
