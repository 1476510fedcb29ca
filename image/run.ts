import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { buildImage } from './build.ts'
import { imageUsage, readImageOptions } from './options.ts'
import { readSource } from './source.ts'

async function main(args: readonly string[]): Promise<void> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const options = readImageOptions(args, { version, processor: process.arch, env: process.env })
  const { digest, archive } = await buildImage(options, await readSource(process.env))
  mkdirSync(dirname(options.output), { recursive: true })
  writeFileSync(options.output, archive)
  const megabytes = (archive.byteLength / 1e6).toFixed(1)
  process.stdout.write(`${options.output}: ${options.name} for ${options.architecture}, ${megabytes} MB, ${digest}\n`)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${imageUsage}`)
  process.exitCode = 1
}
