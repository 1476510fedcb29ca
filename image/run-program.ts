import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const largestOutput = 256 * 1024 * 1024
const patienceMs = 10 * 60_000

const execute = promisify(execFile)

interface RunOptions {
  readonly cwd?: string
}

/** What the program writes. An error holds what it has complained about. */
export async function run(program: string, args: readonly string[], { cwd }: RunOptions = {}): Promise<Buffer> {
  const options = { cwd, encoding: 'buffer', maxBuffer: largestOutput, timeout: patienceMs } as const
  const { stdout } = await execute(program, [...args], options)
  return stdout
}
