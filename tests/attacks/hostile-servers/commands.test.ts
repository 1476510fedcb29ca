import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { broughtKey } from '../../../src/auth/keys/values/key-value.ts'
import { type Answer, friendly, startTlsServer, type TlsServer } from '../../cli/platform/tls-server.ts'
import { makeWorkplace, type Workplace } from '../../create/workplace.ts'

const megabyte = 1024 * 1024
const key = 'k'.repeat(40)

let place: Workplace
let server: TlsServer
let respond: (path: string) => Answer | undefined = () => undefined
let asked = 0

beforeAll(async () => {
  server = await startTlsServer({}, (path) => {
    asked += 1
    return respond(path) ?? friendly(path)
  })
  place = makeWorkplace()
  const ca = place.file('ca.crt', server.authority)
  const login = ['platform', 'login', server.url, '--access-key-stdin', '--ca', ca, '--name', 'p']
  const { exitCode, stderr } = await place.tenant(login, { input: key })
  if (exitCode !== 0) throw new Error(stderr)
})
afterAll(async () => {
  place?.remove()
  await server?.stop()
})
beforeEach(() => {
  asked = 0
})

const json = (body: unknown, status = 200): Answer => ({ status, body: JSON.stringify(body) })
const logins = () => readFileSync(join(place.directory, '.tenant', 'config.json'), 'utf8')

describe('a platform that is hostile to its own users', () => {
  test('that sends endless pages is read only up to a limit', async () => {
    const filling = 'x'.repeat(30 * megabyte)
    respond = () => json({ metadata: { continue: `page-${asked}` }, items: [{ metadata: { name: 'a' }, filling }] })
    const { exitCode, stderr } = await place.tenant(['list'])
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('the most that is read here')])
    expect(asked).toBeLessThan(20)
  })

  test.each([{ a: 1 }, 7, null, undefined])('that names the user by %j is not believed', async (username) => {
    respond = (path) => (path.endsWith('/selves') ? json({ status: { userInfo: { username } } }, 201) : undefined)
    const { exitCode, stdout, stderr } = await place.tenant(['platform', 'whoami'])
    expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringContaining('without the name of a user')])
  })

  test.each([
    ['with a line break for a header', { key: 'a\r\nX-Other: b', leftSeconds: 60 }],
    ['without a letter', { key: '', leftSeconds: 60 }],
    ['that is no text', { key: { a: 1 }, leftSeconds: 60 }],
    ['that never ends', { key, leftSeconds: 1e300 }],
    ['that has ended', { key, leftSeconds: -1 }],
  ])('that returns a key %s leaves kubectl without one', async (_, status) => {
    respond = () => json({ status }, 201)
    const { exitCode, stdout, stderr } = await place.tenant(['token', 'dev', '--project', 'shop'])
    expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringContaining('answered without a key')])
  })

  test('that rotates the key of the login to an invalid header value leaves the logins unchanged', async () => {
    const before = logins()
    const { keyId } = broughtKey(key)
    respond = () => json({ metadata: { name: 'k' }, spec: { key: 'a\nb' }, status: { keyId } }, 201)
    await place.tenant(['platform', 'keys', 'rotate', 'k', '--yes'])
    expect(logins()).toBe(before)
  })
})
