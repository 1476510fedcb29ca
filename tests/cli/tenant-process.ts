import { type ChildProcess, spawn } from 'node:child_process'
import { builtCli } from '../support/programs/built-cli.ts'

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface TenantProcess {
  readonly child: ChildProcess
  readonly finished: Promise<Finished>
  /** Resolves when a line of its output is exactly this; rejects if the process ends before. */
  line(text: string): Promise<void>
}

/** The built command, as a user runs it. */
export function tenant(...args: readonly string[]): TenantProcess {
  return tenantWith({}, ...args)
}

/** The same with additional environment variables. */
export function tenantWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): TenantProcess {
  const child = spawn(process.execPath, [builtCli(), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let stdout = ''
  let stderr = ''
  let noticed = (): void => {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    noticed()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
  const said = (text: string) =>
    new Promise<void>((resolve) => {
      noticed = () => {
        if (stdout.split('\n').includes(text)) resolve()
      }
      noticed()
    })
  return {
    child,
    finished,
    line: (text) =>
      Promise.race([
        said(text),
        finished.then(({ code, stderr: why }) => {
          throw new Error(`tenant ${args.join(' ')} ended with ${code} before it said ${text}: ${why}`)
        }),
      ]),
  }
}
