import { afterAll, beforeAll, describe, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { type Reader, welcomeReader } from './support/reader.ts'
import { runGuide } from './support/run-guide.ts'

/** In the order in which they go on from each other. */
const guides = [
  'README.md',
  'docs/guides/shared-key.md',
  'docs/guides/rotation.md',
  'docs/guides/revocation.md',
  'docs/guides/dedicated-key.md',
  'docs/guides/endpoints-patch.md',
]

describe('everything that the documentation says works as it says', () => {
  let reader: Reader
  let port: number

  beforeAll(async () => {
    port = await freePort()
    reader = welcomeReader()
  })
  afterAll(() => reader.leave())

  it.each(guides)('%s', (guide) => runGuide(guide, reader.shell, { 8443: String(port) }), 300_000)
})
