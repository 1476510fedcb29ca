import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

export interface ServerProcess {
  readonly id: number
  /** Throws with the end of the log if the process is gone. */
  check(): void
  stop(): Promise<void>
}

const killAfterMs = 15_000

/** Starts a program whose output goes to a file. */
export function startProcess(
  program: string,
  args: readonly string[],
  logFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): ServerProcess {
  const log = openSync(logFile, 'w')
  const child = spawn(program, args, { stdio: ['ignore', log, log], env: environment })
  closeSync(log)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  if (child.pid === undefined) throw new Error(`${program} cannot be started`)
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  ended.then(() => process.off('exit', kill))
  return {
    id: child.pid,
    check: () => {
      if (!isRunning(child)) throw new Error(`${basename(program)} ended:\n${lastLines(logFile)}`)
    },
    stop: () => stopChild(child, ended),
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

async function stopChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (!isRunning(child)) return
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  await ended
  clearTimeout(timer)
}

function lastLines(file: string, count = 15): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n')
}
