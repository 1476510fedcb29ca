import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pauseAfter } from '../eventually.ts'

const shortestPauseMs = 20
const usuallyKept = 8_000

const setpriv = '/usr/bin/setpriv'

export interface ProgramOptions {
  readonly program: string
  readonly args: readonly string[]
  readonly environment?: NodeJS.ProcessEnv
  /** How many characters of its output are kept: the last ones. */
  readonly keptOutput?: number
}

/** A program in a separate process. It never outlives this one. */
export interface Program {
  readonly pid: number
  /** How it ended; undefined while it runs. */
  readonly end: string | undefined
  readonly ended: Promise<void>
  /** The end of its output, on both channels. */
  output(): string
  signal(signal: NodeJS.Signals): void
  /** Kills it at an arbitrary moment. */
  kill(): Promise<void>
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>
  /** Resolves when the condition holds; throws if the program ends before, or takes too long. */
  until(what: string, condition: () => boolean | Promise<boolean>, withinMs: number): Promise<void>
}

export function startProgram(options: ProgramOptions): Program {
  const { program, args, environment = process.env, keptOutput = usuallyKept } = options
  const child = spawn(...dyingWithUs(program, args), { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const name = basename(program)
  let output = ''
  let end: string | undefined
  const keep = (text: string) => {
    output += text
    if (output.length > keptOutput) output = output.slice(-keptOutput)
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = new Promise<void>((resolve) => {
    const finish = (how: string) => {
      end ??= how
      process.off('exit', kill)
      resolve()
    }
    child.once('error', (error) => finish(error.message))
    child.once('close', (code, signal) => finish(String(code ?? signal)))
  })
  const signalAndWait = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  return {
    pid: child.pid ?? 0,
    get end() {
      return end
    },
    ended,
    output: () => output,
    signal: (signal) => child.kill(signal),
    kill: () => signalAndWait('SIGKILL'),
    stop: () => signalAndWait('SIGTERM'),
    until: async (what, condition, withinMs) => {
      const start = performance.now()
      while (!(await condition())) {
        if (end !== undefined) throw new Error(`${name} ended with ${end} before ${what}:\n${output}`)
        const waitedMs = performance.now() - start
        if (waitedMs > withinMs) throw new Error(`${name}: not ${what} within ${withinMs} ms:\n${output}`)
        await delay(Math.max(shortestPauseMs, pauseAfter(waitedMs)))
      }
    },
  }
}

/** Killed tests cannot end their programs; on Linux, the kernel does it for them. */
function dyingWithUs(program: string, args: readonly string[]): [string, readonly string[]] {
  return existsSync(setpriv) ? [setpriv, ['--pdeathsig', 'KILL', '--', program, ...args]] : [program, args]
}
