import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { linkLimits } from '../../api/link-limits.ts'
import { Link } from './link.ts'
import { LinkKeys } from './link-keys.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** Opens a link to a tenant that stays silent. */
function openLink() {
  let clockMs = 0
  const connection = new Duplex({ read: () => {}, write: (_chunk, _encoding, taken) => taken() })
  const revoked = new AbortController().signal
  const link = new Link({
    project: 'shop',
    name: 'web',
    process: 'web-0',
    proofHash: '',
    connection,
    credential: { keyName: 'key', keyUid: 'uid', keyId: 'id', isRevoked: false, revoked },
    keys: new LinkKeys(),
    authenticate: async () => ({ outcome: 'refused', reason: 'KeyRefused', message: '' }),
    onLeave: () => {},
    onEnd: () => {},
    clock: { now: () => clockMs },
    elapsed: { now: () => 0 },
  })
  return { link, connection, setClock: (ms: number) => (clockMs = ms) }
}

it('a link that has moved as asked gets no more requests, and is not cut: those under way may finish', async () => {
  const { link, connection } = openLink()
  const gone = link.move('stopping', { graceMs: 60_000, returnWithinMs: 0 })
  expect(link.isBeingCut).toBe(false)
  link.replaced('elsewhere')
  vi.advanceTimersByTime(2 * linkLimits.lastWordsMs)
  expect(link.isBeingCut).toBe(true)
  expect(connection.destroyed).toBe(false)
  connection.destroy()
  await gone
})

it('a link that was replaced unasked is cut when its tenant has been told', () => {
  const { link, connection } = openLink()
  link.replaced('elsewhere')
  expect(link.isBeingCut).toBe(true)
  vi.advanceTimersByTime(linkLimits.lastWordsMs)
  expect(connection.destroyed).toBe(true)
})

const frame = (type: number, payload: string) =>
  Buffer.concat([Buffer.from([0, 0, payload.length, type, 0, 0, 0, 0, 0]), Buffer.from(payload)])

it('a link that has time for last words loses it with the first unwanted frame', async () => {
  const { link, connection } = openLink()
  link.replaced('elsewhere')
  const [settings, otherServer] = [frame(4, ''), frame(10, '\0\x09https://xh2=":1"')]
  connection.push(Buffer.concat([settings, otherServer]))
  await once(connection, 'close')
})

it('a clock that is set cuts no link', () => {
  const { link, connection, setClock } = openLink()
  setClock(3_600_000)
  vi.advanceTimersByTime(linkLimits.pingIntervalMs)
  expect(connection.destroyed).toBe(false)
  expect(link.lastSeenMs).toBe(3_600_000)
})
