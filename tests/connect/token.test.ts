import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { TokenOptions } from '../../src/cli/token/options.ts'
import { token } from '../../src/cli/token/token.ts'
import { makeWorkplace, type Workplace } from '../create/workplace.ts'
import { keysPath, management, startPlatform, type TestPlatform, userNamed } from '../platform/platform.ts'

let platform: TestPlatform
let place: Workplace
let login: { readonly name: string; readonly key: string }
let [logins, callers] = [0, 0]

beforeAll(async () => {
  platform = await startPlatform({ clock: systemClock })
  await platform.must('POST', `${management}/users`, userNamed('ada'))
})
afterAll(() => platform.stop())
beforeEach(async () => {
  place = makeWorkplace()
  logins += 1
  const body = { metadata: { name: `login-${logins}` }, spec: { user: 'ada' } }
  login = { name: `login-${logins}`, key: (await platform.must('POST', keysPath, body)).spec.key }
  await logIn(login.key)
})
afterEach(() => place.remove())

async function logIn(input: string): Promise<void> {
  const ca = place.file('ca.crt', platform.server.authority)
  const args = ['platform', 'login', platform.server.url, '--access-key-stdin', '--ca', ca, '--name', 'p']
  expect(await place.tenant(args, { input })).toMatchObject({ exitCode: 0 })
}

interface Printed {
  readonly apiVersion: string
  readonly status: { readonly token: string; readonly expirationTimestamp?: string }
}

/** Runs it like kubectl, by default in another process each time. */
async function printed(
  options: Partial<TokenOptions> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Printed> {
  callers += 1
  const out: string[] = []
  const terminal = {
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: () => true },
    env: { HOME: place.directory, ...env },
  }
  await token({ name: 'demo', project: 'shop', caller: callers, ...options }, terminal)
  return JSON.parse(out.join(''))
}

async function connectionKeys(): Promise<readonly string[]> {
  const { items } = await platform.must('GET', keysPath)
  const named: readonly { metadata: { name: string }; spec: { parent?: string } }[] = items
  return named.filter(({ spec }) => spec.parent === login.name).map(({ metadata }) => metadata.name)
}

const directory = () => join(place.directory, '.tenant', 'connection-keys')
const kept = () =>
  readdirSync(directory(), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.key'))

/** Makes the kept key older. */
function agedBy(ms: number): void {
  const file = join(directory(), kept()[0] ?? '')
  const key = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...key, issuedMs: key.issuedMs - ms }))
}

function changePlatform(change: object): void {
  const config = join(place.directory, '.tenant', 'config.json')
  const known = JSON.parse(readFileSync(config, 'utf8'))
  const platforms = known.platforms.map((each: object) => ({ ...each, ...change }))
  writeFileSync(config, JSON.stringify({ ...known, platforms }))
}

describe('tenant token', () => {
  it('prints the same key to every process until shortly before its end, and keeps it private', async () => {
    const before = Date.now()
    const first = await printed()
    expect(first).toMatchObject({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1beta1' })
    const leftMs = Date.parse(first.status.expirationTimestamp ?? '') - before
    expect(leftMs).toBeGreaterThan(860_000)
    expect(leftMs).toBeLessThan(900_000)
    expect(await printed()).toEqual(first)
    expect(first.status.token).not.toBe(login.key)
    const [file = '', ...others] = kept()
    expect(others).toEqual([])
    expect(statSync(join(directory(), file)).mode & 0o777).toBe(0o600)
    expect(statSync(directory()).mode & 0o777).toBe(0o700)
    expect(await connectionKeys()).toHaveLength(1)
  })

  it('gets another key for a process that asks again, because the server refused the first', async () => {
    const first = await printed({ caller: 1_000_001 })
    agedBy(60_000)
    const again = await printed({ caller: 1_000_001 })
    expect(again.status.token).not.toBe(first.status.token)
    expect(await printed()).toEqual(again)
  })

  it('creates no further key for a process that asks repeatedly', async () => {
    const tokens = new Set<string>()
    for (let count = 0; count < 10; count += 1) tokens.add((await printed({ caller: 1_000_003 })).status.token)
    expect(tokens.size).toBe(1)
    expect(await connectionKeys()).toHaveLength(1)
  })

  it('calls an unavailable platform once for many waiting processes', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    changePlatform({ url: `https://127.0.0.1:${port}` })
    const failures = await Promise.allSettled(Array.from({ length: 10 }, () => printed()))
    expect(failures.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'rejected'))
    expect(connections).toBe(1)
    await expect(printed()).rejects.toThrow(`127.0.0.1:${port}`)
    expect(connections).toBe(2)
    server.close()
  })

  it('stores no key where another user could write one', async () => {
    await printed()
    chmodSync(directory(), 0o777)
    await expect(printed()).rejects.toThrow('is not private to you')
  })

  it('calls the platform once for many processes that start together', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, async () => (await printed()).status.token))
    expect(new Set(tokens).size).toBe(1)
    expect(await connectionKeys()).toHaveLength(1)
  })

  it('separates keys of other virtual clusters and of other lifetimes', async () => {
    const all = [
      await printed(),
      await printed({ name: 'other' }),
      await printed({ project: 'b' }),
      await printed({ ttlSeconds: 60 }),
    ]
    expect(new Set(all.map(({ status }) => status.token)).size).toBe(4)
  })

  it('replaces a damaged file', async () => {
    await printed()
    const [file = ''] = kept()
    writeFileSync(join(directory(), file), '{"value":')
    const { status } = await printed()
    expect(status.token).toMatch(/^tpk_/)
    expect(JSON.parse(readFileSync(join(directory(), file), 'utf8')).value).toBe(status.token)
  })

  it.each(['v1', 'v1beta1'])('answers in %s on request', async (version) => {
    const apiVersion = `client.authentication.k8s.io/${version}`
    const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec: { interactive: false } })
    expect((await printed({}, { KUBERNETES_EXEC_INFO: info })).apiVersion).toBe(apiVersion)
  })

  it('refuses an unknown version', async () => {
    const info = '{"apiVersion":"client.authentication.k8s.io/v9"}'
    await expect(printed({}, { KUBERNETES_EXEC_INFO: info })).rejects.toThrow(
      'not supported; supported are client.authentication.k8s.io/v1',
    )
  })

  it('reports the reason when the login has ended', async () => {
    const { status } = await printed({ caller: 1_000_002 })
    agedBy(60_000)
    await platform.must('DELETE', `${keysPath}/${login.name}`)
    const body = { apiVersion: 'management.platform.internal/v1', kind: 'Self' }
    expect((await platform.ask('POST', `${management}/selves`, { token: status.token, body })).status).toBe(401)
    await expect(printed({ caller: 1_000_002 })).rejects.toThrow('refused the access key')
    await expect(printed({ platform: 'elsewhere' })).rejects.toThrow('you are not logged in to elsewhere')
  })

  it('prints the key of a login that has no connection keys, and stores no second copy', async () => {
    await logIn('admin-token')
    expect((await printed()).status).toEqual({ token: 'admin-token' })
    expect(kept()).toEqual([])
  })

  it('never prints the key of the login because connection keys are forbidden or the network fails', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
    const { items } = await platform.must('GET', roles)
    const opening = items.filter((role: object) => JSON.stringify(role).includes('"connectionkeys"'))
    expect(opening).not.toEqual([])
    for (const role of opening) {
      const rules = JSON.parse(JSON.stringify(role.rules).replaceAll('"connectionkeys"', '"none"'))
      await platform.must('PUT', `${roles}/${role.metadata.name}`, { ...role, rules })
    }
    await expect(printed()).rejects.toThrow('cannot create resource "connectionkeys"')
    for (const { metadata, rules } of opening) {
      const now = await platform.must('GET', `${roles}/${metadata.name}`)
      await platform.must('PUT', `${roles}/${metadata.name}`, { ...now, rules })
    }
    changePlatform({ url: `${platform.server.url}/elsewhere` })
    await expect(printed()).rejects.toThrow()
  })

  it('stores no key of a login that has ended', async () => {
    await printed()
    expect(kept()).toHaveLength(1)
    await place.tenant(['platform', 'logout', 'p'])
    expect(kept()).toEqual([])
  })

  it('uses its stored key while it is valid if the platform is unavailable', async () => {
    const { status } = await printed()
    const file = join(directory(), kept()[0] ?? '')
    changePlatform({ trust: { mode: 'system' } })
    const endingIn = (leftMs: number) => {
      const [issuedMs, endMs] = [Date.now() - 890_000, Date.now() + leftMs]
      writeFileSync(file, JSON.stringify({ value: status.token, callers: [], issuedMs, endMs }))
    }
    endingIn(25_000)
    expect((await printed()).status.token).toBe(status.token)
    endingIn(0)
    await expect(printed()).rejects.toThrow('certificate')
  })
})
