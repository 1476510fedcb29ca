import { embedded, link } from '../../tests/link/support.ts'
import { startTestServer } from '../../tests/support/clusters/api-server.ts'
import { serveParent } from './process.ts'

const { url, authority, accessKey, links } = JSON.parse(process.argv[2] ?? '{}')
const virtual = await startTestServer()
const virtualApi = embedded(virtual)
const atOnce = 20
const open = async (from: number, to: number): Promise<void> => {
  for (let first = from; first < to; first += atOnce) {
    const started = Array.from({ length: Math.min(atOnce, to - first) }, (_, index) =>
      link({ name: `tenant-${first + index}`, url, authority, accessKey, virtualApi }),
    )
    await Promise.all(started.map((each) => each.linked()))
  }
}
await open(0, links)
serveParent({ url: virtual.url, authority: virtual.authority }, async (request) => {
  const { from, to } = request as { from: number; to: number }
  await open(from, to)
})
