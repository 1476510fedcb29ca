import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChildEnded } from '../child-ended.ts'
import type { Terminal } from '../terminal/terminal.ts'

const forwarded: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Runs a command with a temporary kubeconfig. Throws ChildEnded unless it succeeds. */
export async function runWithKubeconfig(
  command: readonly string[],
  kubeconfig: string,
  { env }: Terminal,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-connect-'))
  try {
    const file = join(directory, 'kubeconfig')
    await writeFile(file, kubeconfig, { mode: 0o600 })
    const exitCode = await run(command, { ...env, KUBECONFIG: file })
    if (exitCode !== 0) throw new ChildEnded(exitCode)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

function run([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: 'inherit' })
    const forward = (signal: NodeJS.Signals) => child.kill(signal)
    for (const signal of forwarded) process.on(signal, forward)
    const finish = () => {
      for (const signal of forwarded) process.off(signal, forward)
    }
    child.once('error', (error) => {
      finish()
      reject(
        new Error(
          `cannot run ${program}: ${'code' in error && error.code === 'ENOENT' ? 'there is no such program' : error.message}`,
        ),
      )
    })
    child.once('close', (code, signal) => {
      finish()
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}
