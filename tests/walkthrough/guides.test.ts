import { afterAll, beforeAll, describe, it } from 'vitest'
import { freePort } from '../support/network/free-port.ts'
import { type Etcd, missingEtcd, startEtcd } from '../support/stores/etcd.ts'
import { type Reader, welcomeReader } from './support/reader.ts'
import { runGuide } from './support/run-guide.ts'

/** In the order in which they build on each other. */
const guides = [
  'README.md',
  'docs/guides/shared-key.md',
  'docs/guides/rotation.md',
  'docs/guides/revocation.md',
  'docs/guides/dedicated-key.md',
  'docs/guides/endpoints-patch.md',
  'docs/guides/backup.md',
]
const timeoutMs = 300_000

describe('the documentation works as described', () => {
  let reader: Reader
  let ports: Readonly<Record<string, string>>
  let etcd: Etcd | undefined

  beforeAll(async () => {
    const free = async (name: string) => [name, String(await freePort())] as const
    ports = Object.fromEntries([await free('8443'), await free('9443'), await free('9444')])
    reader = welcomeReader()
  })
  afterAll(async () => {
    await reader.leave()
    await etcd?.remove()
  })

  it.each(guides)('%s', (guide) => runGuide(guide, reader.shell, ports), timeoutMs)

  it.skipIf(missingEtcd() !== undefined)(
    'docs/guides/etcd.md',
    async () => {
      etcd = await startEtcd()
      await runGuide('docs/guides/etcd.md', reader.shell, { ...ports, 'http://127.0.0.1:2379': etcd.endpoint })
    },
    timeoutMs,
  )
})
