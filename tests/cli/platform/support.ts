import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runWatchedCli } from '../../support/canary/watched-cli.ts'

export interface Run {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface Setting {
  /** Everything on standard input. */
  readonly input?: string
  /** A user at a terminal types the input. */
  readonly onTerminal?: boolean
  readonly env?: Readonly<Record<string, string>>
}

/** A separate home directory, and `tenant platform` run in it. */
export interface Workplace {
  readonly directory: string
  readonly config: string
  /** Everything that any command has written so far. */
  readonly written: readonly string[]
  /** Every change of the terminal's raw mode, in which typed input is not echoed. */
  readonly rawModes: readonly boolean[]
  platform(args: readonly string[], setting?: Setting): Promise<Run>
  remove(): Promise<void>
}

export async function makeWorkplace(): Promise<Workplace> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-cli-'))
  const config = join(directory, '.tenant', 'config.json')
  const written: string[] = []
  const rawModes: boolean[] = []
  return {
    directory,
    config,
    written,
    rawModes,
    platform: async (args, { input = '', onTerminal = false, env = {} } = {}) => {
      const out: string[] = []
      const err: string[] = []
      const typed = (async function* () {
        yield input
      })()
      const exitCode = await runWatchedCli(['platform', ...args], {
        stdout: { write: (text) => out.push(text), isTTY: onTerminal },
        stderr: { write: (text) => err.push(text), isTTY: onTerminal },
        stdin: Object.assign(typed, { isTTY: onTerminal, setRawMode: (raw: boolean) => rawModes.push(raw) }),
        env: { HOME: directory, ...env },
      })
      written.push(...out, ...err)
      return { exitCode, stdout: out.join(''), stderr: err.join('') }
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}
