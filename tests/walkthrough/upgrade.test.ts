import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/network/free-port.ts'
import { previousCli } from '../support/programs/previous-version.ts'
import { type Etcd, missingEtcd, startEtcd } from '../support/stores/etcd.ts'
import { type Reader, welcomeReader } from './support/reader.ts'
import { runGuide } from './support/run-guide.ts'

/** In the order in which they build on each other. */
const guides = ['docs/guides/upgrade.md', 'docs/guides/high-availability.md']

describe.skipIf(missingEtcd() !== undefined)('guides for operators of several replicas', () => {
  let reader: Reader
  let etcd: Etcd
  let replacements: Readonly<Record<string, string>>

  beforeAll(async () => {
    etcd = await startEtcd()
    reader = welcomeReader()
    const aliases = `alias tenant="node $PWD/dist/cli/main.js" tenant-before="node ${previousCli()}"`
    expect((await reader.shell.run(aliases)).exitCode).toBe(0)
    replacements = {
      'http://127.0.0.1:2379': etcd.endpoint,
      '9443': String(await freePort()),
      '9444': String(await freePort()),
    }
  }, 240_000)
  afterAll(async () => {
    await reader?.leave()
    await etcd?.remove()
  })

  it.each(guides)('%s', (guide) => runGuide(guide, reader.shell, replacements), 300_000)
})
