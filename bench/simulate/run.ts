import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { readSimulationOptions, usage } from './options.ts'
import { printResult } from './report.ts'
import { simulate } from './simulation.ts'

const resultsFolder = 'bench/results'
/** A link takes one at the platform and one at its tenant; registering briefly takes another. */
const spare = 2_000

async function main(args: readonly string[]): Promise<void> {
  const options = readSimulationOptions(args)
  const needed = (options.sizes.at(-1) ?? 0) + spare
  const open = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim())
  if (open < needed)
    throw new Error(`a process may open ${open} files here, and ${needed} are needed: ulimit -n ${needed}`)
  const result = await simulate(options, (text) => process.stderr.write(`${text}\n`))
  mkdirSync(resultsFolder, { recursive: true })
  writeFileSync(`${resultsFolder}/simulate-${options.sizes.at(-1)}.json`, JSON.stringify({ options, result }, null, 2))
  process.stdout.write(printResult(result))
}

// The processes that it has started end with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
    process.exit(1)
  },
)
