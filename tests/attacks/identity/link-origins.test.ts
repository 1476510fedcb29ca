import { afterAll, beforeAll, expect, test } from 'vitest'
import { instances, startLinkPlatform, tenantKey } from '../../link/support.ts'
import type { TestPlatform } from '../../platform/platform.ts'
import { eventually } from '../../support/eventually.ts'
import { frame, linkHostile, sendFrames } from './hostile-link.ts'

let platform: TestPlatform
let key = ''

beforeAll(async () => {
  platform = await startLinkPlatform()
  key = await tenantKey(platform, 'shared')
})

afterAll(() => platform?.stop())

const entry = (text: string) => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length)
  return Buffer.concat([length, Buffer.from(text)])
}
const origins = (number: number) =>
  frame('origin', 0, 0, Buffer.concat(Array.from({ length: 500 }, (_, n) => entry(`https://${number}-${n}`))))
const otherServer = frame('altsvc', 0, 0, Buffer.concat([entry('https://x'), Buffer.from('h2=":1"')]))

/** `:status: 103`. */
const hint = frame('headers', 0x4, 1, Buffer.from([0x08, 0x03, 0x31, 0x30, 0x33]))

test.each<[string, readonly Buffer[]]>([
  ['origins, all of which Node would keep', Array.from({ length: 20 }, (_, number) => origins(number))],
  ['other servers', [otherServer]],
  ['hints about the link itself, which count against no window', [hint]],
])('a tenant that announces %s loses its link', async (what, frames) => {
  const name = `teller-${what.length}`
  const link = await linkHostile(platform, key, name)
  link.connection.resume()
  await sendFrames(link, ...frames)
  await link.closed
  await eventually(async () => {
    const { status } = await platform.must('GET', `${instances()}/${name}`)
    expect(status).toMatchObject({ phase: 'Offline', reason: 'Flooding' })
  })
})
