import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nowRuns } from '../../support/canary/running-commands.ts'

export interface Ran {
  readonly exitCode: number
  /** Commands before the last one that failed. */
  readonly failed: readonly string[]
  /** Both channels, as on a terminal. */
  readonly output: string
}

/** One shell for the whole guide: variables of one block exist in the next. */
export interface Shell {
  run(commands: string): Promise<Ran>
  /** Ends it and everything that was started in it. */
  end(): Promise<void>
}

export interface ShellOptions {
  readonly directory: string
  readonly env: NodeJS.ProcessEnv
}

const patienceMs = 200_000

/** The shell reports the end of each block on a separate channel, so that no output is mistaken for it. */
const prologue = `set -E
shopt -s expand_aliases
trap 'printf "failed\\t%s\\n" "\${BASH_COMMAND%%$'\\''\\n'\\''*}" >&3' ERR
`

export function startShell({ directory, env }: ShellOptions): Shell {
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd: directory,
    env,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const scratch = mkdtempSync(join(tmpdir(), 'tenant-shell-'))
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  const told: string[] = []
  let output = ''
  let noticed = (): void => {}
  const keep = (text: string) => {
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    told.push(...chunk.toString('utf8').split('\n').filter(Boolean))
    noticed()
  })
  const end = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    await ended
    rmSync(scratch, { recursive: true, force: true })
  }
  process.once('exit', () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  })
  child.stdin.write(prologue)
  let count = 0
  return {
    end,
    run: async (commands) => {
      count += 1
      output = ''
      told.length = 0
      nowRuns(child, commands)
      const file = join(scratch, `block-${count}.sh`)
      writeFileSync(file, `${commands}\n`)
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`not done within ${patienceMs} ms:\n${output}`)), patienceMs)
        noticed = () => {
          if (!told.some((line) => line.startsWith('ended\t'))) return
          clearTimeout(timer)
          resolve()
        }
        ended.then(() => reject(new Error(`the shell has ended:\n${output}`)))
        child.stdin.write(`. '${file}'; printf 'ended\\t%s\\n' "$?" >&3\n`)
      })
      // The last output of the commands arrives on other channels.
      await new Promise((resolve) => setTimeout(resolve, 20))
      return { ...outcome(told), output }
    },
  }
}

function outcome(told: readonly string[]): Omit<Ran, 'output'> {
  const of = (word: string) => told.flatMap((line) => (line.startsWith(`${word}\t`) ? line.slice(word.length + 1) : []))
  return { exitCode: Number(of('ended')[0]), failed: of('failed') }
}
