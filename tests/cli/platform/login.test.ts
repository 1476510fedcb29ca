import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer as createPlainServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createSilentServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../support/network/free-port.ts'
import { makeWorkplace, type Workplace } from './support.ts'
import { type Answer, friendly, startTlsServer, type TlsServer } from './tls-server.ts'

const key = 'a-key-that-somebody-brought-themselves'

let place: Workplace
let server: TlsServer
let caFile = ''

beforeAll(async () => {
  server = await startTlsServer()
})
afterAll(() => server.stop())

beforeEach(async () => {
  place = await makeWorkplace()
  caFile = join(place.directory, 'ca.crt')
  await writeFile(caFile, server.authority)
})
afterEach(() => place.remove())

function login(...more: readonly string[]) {
  return place.platform(['login', server.url, '--access-key-stdin', ...more], { input: `${key}\n` })
}

async function stored() {
  return JSON.parse(await readFile(place.config, 'utf8'))
}

it('a device login keeps waiting while the platform is unavailable for a moment', async () => {
  const answers: Answer[] = [
    { status: 502, headers: { 'content-type': 'text/html' }, body: 'Bad Gateway' },
    { status: 429, body: '{"kind":"Status","code":429,"message":"later"}' },
    { status: 200, body: JSON.stringify({ accessKey: key }) },
  ]
  const platform = await startTlsServer({}, (path) => {
    if (path === '/auth/connectors') return { status: 200, body: '{"connectors":[{"name":"corp"}]}' }
    if (path.startsWith('/auth/device')) {
      return { status: 200, body: '{"userCode":"BCDF-GHJK","expiresInSeconds":1e12,"pollSeconds":0}' }
    }
    if (path === '/auth/token') return answers.shift() ?? { status: 500, body: '' }
    return friendly(path)
  })
  const trust = ['--trust-fingerprint', platform.fingerprint]
  const { exitCode, stderr } = await place.platform(['login', platform.url, '--device', ...trust])
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('It is good for 30 minutes.')])
  expect(answers).toEqual([])
  await platform.stop()
}, 240_000)

describe('a platform that is hostile', () => {
  const groups = (name: string) => JSON.stringify({ kind: 'APIGroupList', groups: [{ name }] })

  it.each([
    ['has no name', 'management.'],
    ['has an invalid name', 'management.a/../../b'],
    ['has a name that no terminal shows', 'management.\u001b[2J'],
  ])('that %s is not accepted as a platform, and replaces no other login', async (_, name) => {
    await login('--ca', caFile)
    const before = await stored()
    const platform = await startTlsServer({}, (path) =>
      path.endsWith('/apis') ? { status: 200, body: groups(name) } : friendly(path),
    )
    const args = ['login', platform.url, '--access-key-stdin', '--trust-fingerprint', platform.fingerprint]
    const { exitCode, stderr } = await place.platform(args, { input: `${key}\n` })
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('but not a platform')])
    expect(await stored()).toEqual(before)
    await platform.stop()
  })

  it.each([
    ['a code that is more than one', 'BCDF-GHJK\nLogged in to another'],
    ['a code without an end', 'B'.repeat(1_000_000)],
  ])('that sends %s is not quoted', async (_, userCode) => {
    const platform = await startTlsServer({}, (path) => {
      if (path === '/auth/connectors') return { status: 200, body: '{"connectors":[{"name":"corp"}]}' }
      if (path.startsWith('/auth/device'))
        return { status: 200, body: JSON.stringify({ userCode, expiresInSeconds: 60, pollSeconds: 1 }) }
      return path === '/auth/token' ? { status: 200, body: JSON.stringify({ accessKey: key }) } : friendly(path)
    })
    const args = ['login', platform.url, '--device', '--trust-fingerprint', platform.fingerprint]
    const { exitCode, stderr } = await place.platform(args)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('cannot sign in a machine')])
    expect(stderr).not.toContain('Logged in')
    expect(stderr.length).toBeLessThan(1_000)
    await platform.stop()
  })

  it('that exchanges a token for an invalid header value yields no key', async () => {
    const file = join(place.directory, 'token')
    await writeFile(file, 'a.b.c')
    const platform = await startTlsServer({}, (path) =>
      path === '/auth/exchange'
        ? { status: 200, body: JSON.stringify({ access_token: 'a\r\nX-Other: b' }) }
        : friendly(path),
    )
    const trust = ['--trust-fingerprint', platform.fingerprint]
    const { exitCode, stderr } = await place.platform(['login', platform.url, '--exchange-token', file, ...trust])
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('exchanges no tokens')])
    await platform.stop()
  })
})

describe('the key', () => {
  it.each([
    ['standard input', ['--access-key-stdin'], { input: `${key}\n` }],
    ['the environment', [], { env: { TENANT_ACCESS_KEY: key } }],
    ['the command line', ['--access-key', key], {}],
    ['a user who types it', [], { input: `x\u007f${key}\r`, onTerminal: true }],
  ])('comes from %s, and is kept', async (_, args, setting) => {
    const run = await place.platform(['login', server.url, '--ca', caFile, ...args], setting)
    expect([run.exitCode, run.stdout]).toEqual([0, ''])
    expect(run.stderr).toContain(`Logged in to 127.0.0.1:${server.port} (${server.url}) as ada.`)
    expect((await stored()).platforms).toMatchObject([{ url: server.url, domain: 'example.com', accessKey: key }])
    expect(server.credentials.at(-1)).toBe(`Bearer ${key}`)
    expect(place.written.join('')).not.toContain(key)
  })

  it('is not shown while it is typed', async () => {
    await place.platform(['login', server.url, '--ca', caFile], { input: `${key}\r`, onTerminal: true })
    expect(place.rawModes).toEqual([true, false])
  })

  it('on the command line causes a warning with the alternatives', async () => {
    const { stderr } = await place.platform(['login', server.url, '--ca', caFile, '--access-key', key])
    expect(stderr).toContain('warning: other users of this machine can see --access-key')
    expect(stderr).toContain('--access-key-stdin or TENANT_ACCESS_KEY')
  })

  const mistyped = `tpk_${'a'.repeat(12)}_${'b'.repeat(49)}`
  it.each([
    ['absent', [], {}, 'no access key: pass --access-key-stdin, or set TENANT_ACCESS_KEY'],
    ['empty', ['--access-key-stdin'], { input: ' \n' }, 'the access key is empty'],
    ['two words', ['--access-key-stdin'], { input: 'not-a key' }, 'holds a space'],
    ['mistyped', ['--access-key-stdin'], { input: mistyped }, 'its checksum is wrong'],
    ['behind a wrong flag', [`--acess-key=${key}`], {}, "unknown option '--acess-key=[hidden]'"],
    ['an argument too many', [mistyped], {}, 'too many arguments'],
  ])('that is %s is wrong usage, and the platform is not called', async (_, args, setting, problem) => {
    const asked = server.credentials.length
    const run = await place.platform(['login', server.url, '--ca', caFile, ...args], setting)
    expect([run.exitCode, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toContain(problem)
    expect(run.stderr).not.toMatch(/not-a key|aaaaaaaaaaaa_b|somebody-brought/)
    expect(server.credentials).toHaveLength(asked)
  })
})

describe('a platform is trusted', () => {
  afterEach(() => server.change({}))

  it('by an authority in a file, which is needed only once', async () => {
    expect((await login('--ca', caFile)).exitCode).toBe(0)
    await writeFile(caFile, '')
    expect((await place.platform(['whoami'])).exitCode).toBe(0)
    expect((await login()).exitCode).toBe(0)
    expect((await stored()).platforms[0].trust).toEqual({ mode: 'authority', authority: server.authority })
  })

  it('by an authority of the operating system', async () => {
    const setting = { input: key, env: { SSL_CERT_FILE: caFile } }
    expect((await place.platform(['login', server.url, '--access-key-stdin'], setting)).exitCode).toBe(0)
    expect((await stored()).platforms[0].trust).toEqual({ mode: 'system' })
  })

  it('by its fingerprint', async () => {
    expect((await login('--trust-fingerprint', server.fingerprint)).exitCode).toBe(0)
    expect((await place.platform(['whoami'])).exitCode).toBe(0)
  })

  it('on first use, after its fingerprint was shown and the user agreed', async () => {
    const setting = { input: `yes\n${key}\r`, onTerminal: true, env: { NO_COLOR: '1' } }
    const { exitCode, stderr } = await place.platform(['login', server.url], setting)
    expect(exitCode).toBe(0)
    const [shown, question] = [stderr.indexOf(server.fingerprint), stderr.indexOf('Trust this certificate')]
    expect(shown).toBeGreaterThan(0)
    expect(question).toBeGreaterThan(shown)
    expect((await stored()).platforms[0].trust).toEqual({ mode: 'fingerprint', fingerprint: server.fingerprint })
    expect((await login()).stderr).not.toContain('Trust this certificate')
  })

  it.each(['n\n', '\n', '', 'sure\n'])('not on first use if the answer is %j', async (answer) => {
    const asked = server.credentials.length
    const { exitCode, stderr } = await place.platform(['login', server.url], {
      input: answer,
      onTerminal: true,
    })
    expect(exitCode).toBe(1)
    expect(stderr).toContain('was not trusted, and nothing was sent')
    expect(server.credentials).toHaveLength(asked)
    await expect(stat(place.config)).rejects.toThrow('ENOENT')
  })

  it('never implicitly: a script gets the fingerprint and the option to pass', async () => {
    const asked = server.credentials.length
    const { exitCode, stderr } = await login()
    expect(exitCode).toBe(1)
    expect(stderr).toContain('issued by "Test Authority", an unknown authority')
    expect(stderr).toContain(`--trust-fingerprint ${server.fingerprint}`)
    expect(server.credentials).toHaveLength(asked)
  })

  it.each<[string, object, string]>([
    ['for another host', { names: ['other.example'] }, 'it is for other.example'],
    ['out of date', { fromDays: -9, toDays: -2 }, 'it was valid until'],
    ['of the future', { fromDays: 2 }, 'The clock of this machine says'],
  ])('not if its certificate is %s, whichever authority signed it', async (_, certificate, problem) => {
    await server.change(certificate)
    const asked = server.credentials.length
    const { exitCode, stderr } = await login('--ca', caFile)
    expect(exitCode).toBe(1)
    expect(stderr).toContain(problem)
    expect(server.credentials).toHaveLength(asked)
  })

  it('not if its certificate changed since the user accepted it, and the key is not sent', async () => {
    const before = server.fingerprint
    await login('--trust-fingerprint', before)
    await server.change({})
    const asked = server.credentials.length
    const terminal = { input: `${key}\ryes\n`, onTerminal: true }
    for (const run of [
      await place.platform(['whoami']),
      await place.platform(['keys', 'list']),
      await login(),
      await place.platform(['login', server.url], terminal),
    ]) {
      expect(run.exitCode).toBe(1)
      expect(run.stderr).toContain(`expected ${before}, but it shows ${server.fingerprint}`)
      expect(run.stderr).not.toContain('Trust this certificate')
    }
    expect(server.credentials).toHaveLength(asked)
    expect((await login('--trust-fingerprint', server.fingerprint)).exitCode).toBe(0)
    expect((await place.platform(['whoami'])).exitCode).toBe(0)
  })

  it('not by an authority other than the one in the file', async () => {
    const other = await startTlsServer()
    await writeFile(caFile, other.authority)
    await other.stop()
    const { exitCode, stderr } = await login('--ca', caFile)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('cannot be trusted')])
  })

  it.each([
    ['absent', undefined, 'cannot read'],
    ['no certificate', 'hello', 'holds no certificate in PEM'],
  ])('not by a file that is %s', async (_, text, problem) => {
    const file = join(place.directory, 'given.crt')
    if (text !== undefined) await writeFile(file, text)
    const { exitCode, stderr } = await login('--ca', file)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(problem)])
  })
})

describe('a network error is never reported as a key error', () => {
  const blame = /refused the access key|does not know it|mistyped/

  async function failing(url: string, trust: readonly string[] = []) {
    const run = await place.platform(['login', url, '--access-key-stdin', ...trust], { input: key })
    expect(run.exitCode).toBe(1)
    expect(run.stderr).not.toMatch(blame)
    await expect(stat(place.config)).rejects.toThrow('ENOENT')
    return run.stderr
  }

  it('when nothing listens', async () => {
    expect(await failing(`https://127.0.0.1:${await freePort()}`)).toContain('nothing listens there (ECONNREFUSED)')
  })

  it('when the server speaks plain HTTP', async () => {
    const plain: Server = createPlainServer((_, response) => response.end())
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    const { port } = plain.address() as AddressInfo
    expect(await failing(`https://127.0.0.1:${port}`)).toContain('does not speak TLS')
    await new Promise((resolve) => plain.close(resolve))
  })

  it('when the connection is reset', async () => {
    const silent = createSilentServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    expect(await failing(`https://127.0.0.1:${port}`)).toContain('cannot reach')
    await new Promise((resolve) => silent.close(resolve))
  })

  it.each<[string, Answer, string]>([
    [
      'a login page',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' },
      'a proxy or a login page',
    ],
    [
      'a gateway',
      { status: 502, headers: { 'content-type': 'text/html' }, body: 'bad' },
      'answered 502 with text/html',
    ],
    ['a proxy', { status: 407, headers: { 'proxy-authenticate': 'Basic' }, body: '' }, 'asks for credentials (407)'],
    ['a redirection', { status: 302, headers: { location: 'https://sso' }, body: '' }, 'redirects to another place'],
    [
      'another server that refuses',
      { status: 401, headers: { 'content-type': 'text/html' }, body: 'no' },
      'answered 401',
    ],
    [
      'another API server',
      { status: 200, body: '{"kind":"APIGroupList","groups":[{"name":"apps"}]}' },
      'but not a platform',
    ],
  ])('when the answer comes from %s', async (_, answer, problem) => {
    const odd = await startTlsServer({}, () => answer)
    try {
      expect(await failing(odd.url, ['--trust-fingerprint', odd.fingerprint])).toContain(problem)
    } finally {
      await odd.stop()
    }
  })
})

it('does not repeat a key that a server sends back', async () => {
  const body = JSON.stringify({ kind: 'Status', code: 403, message: `you sent ${key}` })
  const echo = await startTlsServer({}, () => ({ status: 403, headers: { warning: '299 - "beware"' }, body }))
  const run = await place.platform(['login', echo.url, '--access-key-stdin', '--trust-fingerprint', echo.fingerprint], {
    input: key,
  })
  await echo.stop()
  expect(run).toEqual({ exitCode: 1, stdout: '', stderr: 'warning: beware\nerror: you sent [hidden]\n' })
})
