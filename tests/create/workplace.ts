import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { systemRandom } from '../../src/base/random.ts'
import type { KubeClient } from '../../src/client/contract.ts'
import { createKubeClient } from '../../src/client/kube-client.ts'
import { loadClusterAccess } from '../../src/client/kubeconfig/load.ts'
import { runWatchedCli } from '../support/canary/watched-cli.ts'

export interface Run {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly input?: string
  readonly onTerminal?: boolean
  readonly env?: Readonly<Record<string, string>>
}

/** A home directory with a kubeconfig, and `tenant` run in it. */
export interface Workplace {
  readonly directory: string
  /** The output of all commands. */
  readonly written: readonly string[]
  tenant(args: readonly string[], options?: RunOptions): Promise<Run>
  /** Writes a file and returns its path. */
  file(name: string, text: string): string
  read(name: string): string
  remove(): void
}

export function makeWorkplace(kubeconfig?: string): Workplace {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-create-'))
  const written: string[] = []
  return {
    directory,
    written,
    tenant: async (args, { input = '', onTerminal = false, env = {} } = {}) => {
      const out: string[] = []
      const err: string[] = []
      const typed = (async function* () {
        yield input
      })()
      const exitCode = await runWatchedCli(args, {
        stdout: { write: (text) => out.push(text), isTTY: onTerminal },
        stderr: { write: (text) => err.push(text), isTTY: onTerminal },
        stdin: Object.assign(typed, { isTTY: onTerminal, setRawMode: () => {} }),
        env: { HOME: directory, ...(kubeconfig !== undefined && { KUBECONFIG: kubeconfig }), ...env },
      })
      written.push(...out, ...err)
      return { exitCode, stdout: out.join(''), stderr: err.join('') }
    },
    file: (name, text) => {
      writeFileSync(join(directory, name), text, { mode: 0o600 })
      return join(directory, name)
    },
    read: (name) => readFileSync(join(directory, name), 'utf8'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

export async function clientOf(kubeconfig: string): Promise<KubeClient> {
  const access = await loadClusterAccess({ env: {}, clock: systemClock, file: kubeconfig })
  return createKubeClient({
    access,
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    userAgent: 'kubectl-edit/1',
    env: {},
  })
}
