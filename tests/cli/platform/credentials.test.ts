import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeWorkplace, type Workplace } from './support.ts'
import { startTlsServer, type TlsServer } from './tls-server.ts'

const key = 'a-key-that-somebody-brought-themselves'

let place: Workplace
let server: TlsServer

beforeAll(async () => {
  server = await startTlsServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  place = await makeWorkplace()
})
afterEach(() => place.remove())

function login(name: string, env: Readonly<Record<string, string>> = {}, accessKey = key) {
  const url = `${server.url}/${name}`
  const trust = ['--trust-fingerprint', server.fingerprint]
  return place.platform(['login', url, '--access-key-stdin', '--name', name, ...trust], { input: accessKey, env })
}

async function permissions(file: string): Promise<string> {
  return ((await stat(file)).mode & 0o777).toString(8)
}

describe('the file with the keys', () => {
  it('is readable by its owner alone, and so is its directory', async () => {
    expect((await login('a')).exitCode).toBe(0)
    expect(await permissions(place.config)).toBe('600')
    expect(await permissions(dirname(place.config))).toBe('700')
  })

  it('becomes private again on the next write, with a warning before', async () => {
    await login('a')
    await chmod(place.config, 0o644)
    expect((await place.platform(['whoami'])).stderr).toContain(`run: chmod 600 ${place.config}`)
    await login('b')
    expect(await permissions(place.config)).toBe('600')
    expect((await place.platform(['whoami'])).stderr).toBe('')
  })

  it('is replaced atomically: a concurrent reader sees the old or the new content', async () => {
    await login('a')
    const before = await stat(place.config)
    const seen: string[] = []
    let writing = true
    const reading = (async () => {
      while (writing) seen.push(await readFile(place.config, 'utf8'))
    })()
    for (const name of ['b', 'c', 'd']) await login(name)
    writing = false
    await reading
    expect(seen.length).toBeGreaterThan(3)
    for (const text of seen) expect(JSON.parse(text).platforms[0].name).toBe('a')
    expect((await stat(place.config)).ino).not.toBe(before.ino)
    expect(await readdir(dirname(place.config))).toEqual(['config.json'])
  })

  it('keeps the entries of concurrent logins', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const results = await Promise.all(names.map((name) => login(name)))
    expect(results.map(({ exitCode }) => exitCode)).toEqual(names.map(() => 0))
    const { platforms } = JSON.parse(await readFile(place.config, 'utf8'))
    expect(platforms.map(({ name }: { name: string }) => name).sort()).toEqual(names)
    expect((await readdir(dirname(place.config))).filter((name) => name.includes('lock'))).toEqual([])
  })

  it('can be written after a command was killed during a write', async () => {
    await login('a')
    const lock = `${place.config}.lock`
    await mkdir(lock)
    await utimes(lock, new Date(0), new Date(0))
    expect((await login('b')).exitCode).toBe(0)
  })

  it('is unchanged when a login fails', async () => {
    await login('a')
    const before = await readFile(place.config, 'utf8')
    await place.platform(['login', 'https://127.0.0.1:1', '--access-key-stdin'], { input: key })
    expect(await readFile(place.config, 'utf8')).toBe(before)
  })

  it('may be elsewhere, or a link, which stays one', async () => {
    const [link, target] = [join(place.directory, 'link.json'), join(place.directory, 'real', 'config.json')]
    await mkdir(dirname(target))
    await writeFile(target, '{"version":1,"platforms":[]}', { mode: 0o600 })
    await symlink(target, link)
    expect((await login('a', { TENANT_CONFIG: link })).exitCode).toBe(0)
    expect((await lstat(link)).isSymbolicLink()).toBe(true)
    expect(JSON.parse(await readFile(target, 'utf8')).current).toBe('a')
    await expect(stat(place.config)).rejects.toThrow('ENOENT')
  })

  it.each([
    ['not JSON', `{"accessKey": ${key}`, 'it is not JSON'],
    ['not an object', '[]', 'it does not hold a JSON object'],
    ['of another release', '{"version":2}', 'its version is not 1; it was written by another release'],
    [
      'without a key',
      '{"version":1,"platforms":[{"name":"a","url":"u","domain":"d","trust":{"mode":"system"}}]}',
      'platforms[0].accessKey is missing',
    ],
    [
      'without trust',
      `{"version":1,"platforms":[{"name":"a","url":"u","domain":"d","accessKey":"${key}","trust":{"mode":"none"}}]}`,
      'platforms[0].trust is neither system, nor an authority, nor a fingerprint',
    ],
  ])('is left alone if it is %s', async (_, text, problem) => {
    await mkdir(dirname(place.config), { recursive: true })
    await writeFile(place.config, text, { mode: 0o600 })
    for (const run of [await place.platform(['whoami']), await login('a')]) {
      expect(run.exitCode).toBe(1)
      expect(run.stderr).toContain(`cannot use ${place.config}: ${problem}`)
      expect(run.stderr).not.toContain(key)
    }
    expect(await readFile(place.config, 'utf8')).toBe(text)
  })
})

describe('several platforms', () => {
  beforeEach(async () => {
    await login('one', {}, 'the-key-of-the-first-platform-of-all')
    await login('two')
  })

  async function keyUsed(...flags: readonly string[]) {
    expect((await place.platform(['whoami', ...flags])).exitCode).toBe(0)
    return server.credentials.at(-1)
  }

  it('have a current one: the last login, or the selected one', async () => {
    expect(await keyUsed()).toBe(`Bearer ${key}`)
    expect(await keyUsed('--platform', 'one')).toBe('Bearer the-key-of-the-first-platform-of-all')
    expect((await place.platform(['use', 'one'])).exitCode).toBe(0)
    expect(await keyUsed()).toBe('Bearer the-key-of-the-first-platform-of-all')
  })

  it('are listed without their keys', async () => {
    const { stdout } = await place.platform(['list'])
    expect(stdout.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      ['CURRENT', 'NAME', 'URL', 'DOMAIN', 'TRUST'],
      ['', 'one', `${server.url}/one`, 'example.com', 'fingerprint'],
      ['*', 'two', `${server.url}/two`, 'example.com', 'fingerprint'],
      [''],
    ])
    expect((await place.platform(['list', '-o', 'name'])).stdout).toBe('one\ntwo\n')
    expect(JSON.parse((await place.platform(['list', '-o', 'json'])).stdout)).toMatchObject([
      { current: false },
      { current: true },
    ])
    expect(place.written.join('')).not.toContain(key)
  })

  it('can be logged out of one by one', async () => {
    const run = await place.platform(['logout'])
    expect(run.stderr).toContain('Logged out of two. The key itself still works')
    expect(run.stderr).toContain('The current platform is one.')
    expect(await readFile(place.config, 'utf8')).not.toContain(key)
    await place.platform(['logout', 'one'])
    const { exitCode, stderr } = await place.platform(['whoami'])
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('you are not logged in to any platform')])
  })

  it('never swap their names', async () => {
    const { exitCode, stderr } = await place.platform(
      ['login', `${server.url}/three`, '--access-key-stdin', '--name', 'one'],
      { input: key },
    )
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`one is the platform ${server.url}/one`)])
  })

  it.each([
    [['whoami', '--platform', 'three'], 'you are not logged in to three; known platforms: one, two'],
    [['use', 'three'], 'you are not logged in to three'],
    [['logout', 'three'], 'you are not logged in to three'],
  ])('%j is wrong usage', async (args, problem) => {
    const { exitCode, stderr } = await place.platform(args)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(problem)])
  })

  it('have no current one after a logout from one of several', async () => {
    await login('three')
    await place.platform(['logout'])
    const { exitCode, stderr } = await place.platform(['whoami'])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('there is no current platform')])
  })
})
