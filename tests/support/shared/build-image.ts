import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildImage } from '../../../image/build.ts'
import { readImageOptions } from '../../../image/options.ts'
import { readSource } from '../../../image/source.ts'
import type { SharedImage } from './contract.ts'

/** An image of the program as it was built last. Its parts are kept beside the other programs of the tests. */
export async function buildSharedImage() {
  const tools = process.env.TENANT_TEST_TOOLS ?? join(homedir(), '.cache/tenant-test-tools')
  const flags = ['--name', 'localhost/tenant-platform:test', '--cache', join(tools, 'image')]
  const options = readImageOptions(flags, { version: 'test', processor: process.arch, env: process.env })
  const { archive } = await buildImage(options, await readSource(process.env))
  const folder = mkdtempSync(join(tmpdir(), 'tenant-image-'))
  const file = join(folder, 'image.tar')
  writeFileSync(file, archive)
  const part: SharedImage = { name: options.name, archive: file }
  return { part, stop: async () => rmSync(folder, { recursive: true, force: true }) }
}
