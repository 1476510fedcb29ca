import { spawn } from 'node:child_process'
import { builtCli } from './built-cli.ts'

export interface CommandOptions {
  readonly input?: string
  readonly env?: NodeJS.ProcessEnv
}

const patienceMs = 240_000

/** Runs a program to its end, and returns its output; a failure is an error with its message. */
export function run(program: string, args: readonly string[], { input, env }: CommandOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: env ?? process.env, timeout: patienceMs })
    const output = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output.stderr += text
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(output.stdout)
      else reject(new Error(`${[program, ...args].join(' ')} ended with ${code}: ${output.stderr}`))
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input ?? '')
  })
}

/** `tenant`, as a user with this home directory runs it. */
export function tenantIn(home: string, cli = builtCli()) {
  return (args: readonly string[], input?: string): Promise<string> =>
    run(process.execPath, [cli, ...args], {
      env: { PATH: process.env.PATH, HOME: home },
      ...(input !== undefined && { input }),
    })
}
