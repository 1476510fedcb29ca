import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { keysPath, management, userNamed } from '../../platform/platform.ts'
import { broughtValue } from '../../support/canary/brought-value.ts'
import { fieldsOf, loggedIn } from './logged-in.ts'

const qualified = 'ownedaccesskey.management.platform.internal'
const keyPattern = /^tpk_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/

const here = loggedIn()
const { keys, loginAs, loginWith, statusWith } = here
let made = 0

function newName(): string {
  made += 1
  return `cli-${made}`
}

async function storedKey(name: string) {
  return here.server.must('GET', `${keysPath}/${name}`)
}

describe('keys create', () => {
  beforeEach(async () => {
    await loginAs('ada')
  })

  it('shows the value once, with a hint on stderr', async () => {
    const name = newName()
    const args = ['--expire-after', '30d', '--sliding', '--project', 'shop', '--role', 'tenant:shop']
    const { exitCode, stdout, stderr } = await keys('create', name, '--display-name', 'CI', ...args)
    expect(exitCode).toBe(0)
    const shown = fieldsOf(stdout)
    expect(shown).toMatchObject({ Name: name, Owner: 'ada', Scope: 'role tenant in project shop' })
    expect(shown.Expires).toMatch(/^in (?:29|30)d \(\d{4}-.*Z\), later with every use$/)
    expect(shown.Key).toMatch(keyPattern)
    expect(stderr).toContain('the only time that the value is shown')
    expect(await statusWith(shown.Key ?? '')).toBe(200)
    expect((await storedKey(name)).spec).toEqual({
      displayName: 'CI',
      user: 'ada',
      type: 'User',
      ttl: 30 * 86_400,
      ttlAfterLastActivity: true,
      scope: { roles: [{ role: 'tenant', projects: ['shop'] }], projects: [{ project: 'shop' }] },
    })
  })

  it('derives a name from the display name', async () => {
    const { stdout } = await keys('create', '--display-name', 'Läptop of  Ada!', '-o', 'name')
    expect(stdout).toMatch(new RegExp(`^${qualified}/la-ptop-of-ada-[a-z0-9]{5}\n$`))
    expect((await keys('create', '-o', 'name')).stdout).toMatch(/\/key-[a-z0-9]{5}\n$/)
  })

  it('prints only the value for scripts', async () => {
    const { stdout, stderr } = await keys('create', newName(), '--quiet')
    expect(stdout.trim()).toMatch(keyPattern)
    expect([stdout.split('\n').length, stderr]).toEqual([2, ''])
  })

  it('prints no secret with -o name, and says how to get it', async () => {
    const name = newName()
    const { stdout, stderr } = await keys('create', name, '-o', 'name')
    expect(stdout).toBe(`${qualified}/${name}\n`)
    expect(stderr).toBe(`The value was not shown. To get a new one: tenant platform keys rotate ${name}\n`)
  })

  it.each(['json', 'yaml'])('prints the object as %s, with the value', async (format) => {
    const name = newName()
    const { stdout } = await keys('create', name, '-o', format)
    const key = format === 'json' ? JSON.parse(stdout) : parse(stdout)
    expect(key).toMatchObject({
      kind: 'OwnedAccessKey',
      metadata: { name },
      spec: { key: expect.stringMatching(keyPattern) },
    })
    expect(key.metadata).not.toHaveProperty('managedFields')
  })

  it('accepts a file, and flags override it', async () => {
    const name = newName()
    const file = join(here.place.directory, 'key.yaml')
    await writeFile(
      file,
      `metadata: {name: ${name}, labels: {a: b}}\nspec: {displayName: old, description: kept, ttl: 60}\n`,
    )
    expect((await keys('create', '-f', file, '--display-name', 'new', '--sliding', '-q')).exitCode).toBe(0)
    const { metadata, spec } = await storedKey(name)
    expect(metadata.labels).toEqual({ a: 'b' })
    expect(spec).toMatchObject({ displayName: 'new', description: 'kept', ttl: 60, ttlAfterLastActivity: true })
  })

  it('accepts a given key value on standard input', async () => {
    const value = broughtValue('by-input')
    const input = JSON.stringify({ metadata: { name: newName() }, spec: { key: value } })
    const { stdout } = await here.platform(['keys', 'create', '-f', '-', '-q'], { input })
    expect(stdout).toBe(`${value}\n`)
    expect(await statusWith(value)).toBe(200)
  })

  it.each([
    ['a name that differs', 'metadata: {name: a}', ['b'], 2, 'the file names the key a, the command line b'],
    ['another kind', 'kind: Secret', [], 1, 'holds a Secret, not an OwnedAccessKey'],
    ['no object', '[]', [], 1, 'holds no object'],
    ['broken YAML', 'a: [', [], 1, 'key.yaml: yaml: line'],
  ])('refuses a file with %s', async (_, text, args, exitCode, problem) => {
    const file = join(here.place.directory, 'key.yaml')
    await writeFile(file, text)
    const run = await keys('create', ...args, '-f', file)
    expect([run.exitCode, run.stdout, run.stderr]).toEqual([exitCode, '', expect.stringContaining(problem)])
  })

  it.each([
    [['--sliding'], 2, '--sliding needs --expire-after'],
    [['--role', 'wizard'], 1, 'spec.scope.roles[0].role'],
    [['--user', 'nobody'], 1, 'nobody'],
    [['-f', '/nowhere/key.yaml'], 1, 'there is no such file'],
  ])('%j exits with %i and says why', async (args, exitCode, problem) => {
    const run = await keys('create', newName(), ...args)
    expect([run.exitCode, run.stdout, run.stderr]).toEqual([exitCode, '', expect.stringContaining(problem)])
  })

  it('reports a name that is taken', async () => {
    const name = newName()
    await keys('create', name)
    expect(await keys('create', name)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('already exists') })
  })

  it('passes on warnings of the platform', async () => {
    const file = join(here.place.directory, 'key.json')
    await writeFile(file, JSON.stringify({ spec: { scope: { allowPlatformCli: true } } }))
    expect((await keys('create', '-f', file)).stderr).toMatch(/^warning: .*allowPlatformCli/)
  })
})

describe('keys list and get', () => {
  it('show own keys as the columns of the platform, and nothing secret', async () => {
    await here.server.must('POST', `${management}/users`, userNamed('bea'))
    await loginAs('bea', { displayName: 'Bea’s laptop', ttl: 86_400 })
    const [name] = (await keys('list', '-o', 'name')).stdout.trim().replace(`${qualified}/`, '').split('\n')
    const { stdout } = await keys('list')
    const [headings, row] = stdout.split('\n').map((line) => line.split(/\s{3,}/))
    expect(headings).toEqual(['NAME', 'DISPLAY NAME', 'OWNER', 'PHASE', 'EXPIRES', 'LAST ACTIVITY', 'AGE'])
    expect(row?.slice(0, 5)).toEqual([name, 'Bea’s laptop', 'bea', 'Active', expect.stringMatching(/^in \d+h$/)])
    expect((await keys('get', name ?? '')).stdout.split('\n')[0]).toBe(stdout.split('\n')[0])
    expect((await keys('get', name ?? '', '-o', 'wide')).stdout).toContain('KEY ID')
    expect((await keys('get', `${qualified}/${name}`, '-o', 'name')).stdout).toBe(`${qualified}/${name}\n`)
    expect(JSON.parse((await keys('get', name ?? '', '-o', 'json')).stdout).spec.ttl).toBe(86_400)
    expect(parse((await keys('get', name ?? '', '-o', 'yaml')).stdout).spec).not.toHaveProperty('key')
    const list = JSON.parse((await keys('list', '-o', 'json')).stdout)
    expect(list).toMatchObject({ kind: 'OwnedAccessKeyList', items: [{ kind: 'OwnedAccessKey', metadata: { name } }] })
  })

  it('report on stderr that there are none', async () => {
    await loginWith('alice-token')
    expect(await keys('list')).toEqual({ exitCode: 0, stdout: '', stderr: 'No access keys found.\n' })
    expect(await keys('list', '-o', 'name')).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  })

  it('name a missing key', async () => {
    await loginAs('ada')
    expect(await keys('get', 'absent')).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: 'error: there is no access key absent; see: tenant platform keys list\n',
    })
  })
})

describe('keys rotate', () => {
  it('shows a new value, and the old one works for the overlap', async () => {
    await loginAs('ada')
    const name = newName()
    const before = (await keys('create', name, '-q')).stdout.trim()
    const { exitCode, stdout, stderr } = await keys('rotate', name, '--overlap', '24h')
    expect(exitCode).toBe(0)
    const after = fieldsOf(stdout).Key ?? ''
    expect(after).toMatch(keyPattern)
    expect(after).not.toBe(before)
    expect(stderr).toMatch(/The old value works until \d{4}-.*Z\./)
    expect([await statusWith(before), await statusWith(after)]).toEqual([200, 200])
    const last = (await keys('rotate', name, '-q')).stdout.trim()
    expect([await statusWith(before), await statusWith(after), await statusWith(last)]).toEqual([401, 401, 200])
  })

  it('keeps users who rotate their own key logged in', async () => {
    const before = await loginAs('ada')
    const name = await here.ownKey()
    const { exitCode, stdout, stderr } = await keys('rotate', name, '-q')
    expect(exitCode).toBe(0)
    expect(stderr).toContain('from now on you are with the new one')
    expect(await statusWith(before)).toBe(401)
    expect(await readFile(here.place.config, 'utf8')).toContain(stdout.trim())
    expect((await here.platform(['whoami'])).exitCode).toBe(0)
  })
})

describe('keys secrets', () => {
  const secretsPath = '/api/v1/namespaces/default/secrets'
  const holding = (name: string, value: string) => ({
    metadata: { name },
    data: { accessKey: Buffer.from(value).toString('base64') },
  })

  it('adds, lists and removes the Secrets of a key, and a rotation shows them first', async () => {
    await loginWith('admin-token')
    const name = newName()
    const before = (await keys('create', name, '-q')).stdout.trim()
    await here.server.must('POST', secretsPath, holding(name, before))
    const added = await keys('secrets', name, '--add', `default/${name}`)
    expect(added.exitCode).toBe(0)
    expect(added.stdout).toMatch(new RegExp(`-\\s+default\\s+${name}\\s+accessKey\\s+admin`))
    const { exitCode, stdout, stderr } = await keys('rotate', name, '-q')
    expect(exitCode).toBe(0)
    expect(stderr).toContain(`The new value of ${name} is written into:\n  Secret default/${name}\n`)
    const { data } = await here.server.must('GET', `${secretsPath}/${name}`)
    expect(Buffer.from(data.accessKey, 'base64').toString()).toBe(stdout.trim())
    expect((await keys('secrets', name, '--remove', `default/${name}`)).stdout).not.toContain(`default`)
    expect((await keys('secrets', name, '--remove', `default/${name}`)).exitCode).toBe(2)
  })

  it('reports why a Secret cannot be added', async () => {
    await loginAs('ada')
    const name = newName()
    const value = (await keys('create', name, '-q')).stdout.trim()
    await here.server.must('POST', secretsPath, holding(name, value))
    const { exitCode, stderr } = await keys('secrets', name, '--add', `default/${name}`)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('cannot update resource "secrets"')])
  })
})

describe('keys disable, enable and delete', () => {
  it('change the state of the key', async () => {
    await loginAs('ada')
    const [name, other] = [newName(), newName()]
    const value = (await keys('create', name, '-q')).stdout.trim()
    await keys('create', other)
    expect((await keys('disable', name, other)).stdout).toBe(`${name} disabled\n${other} disabled\n`)
    expect(await statusWith(value)).toBe(401)
    expect((await keys('enable', name, '-o', 'name')).stdout).toBe(`${qualified}/${name}\n`)
    expect(await statusWith(value)).toBe(200)
    expect(JSON.parse((await keys('disable', name, '-o', 'json')).stdout).spec.disabled).toBe(true)
    expect((await keys('delete', name)).stdout).toBe(`${name} deleted\n`)
    expect(await statusWith(value)).toBe(401)
    expect((await keys('delete', other, '-o', 'name')).stdout).toBe(`${qualified}/${other}\n`)
    expect((await keys('delete', name)).exitCode).toBe(1)
  })

  it('go on after a name that does not exist, and fail', async () => {
    await loginAs('ada')
    const name = newName()
    await keys('create', name)
    const disabled = await keys('disable', 'mistyped', name)
    expect(disabled).toMatchObject({ exitCode: 1, stdout: `${name} disabled\n` })
    expect(disabled.stderr).toBe('error: there is no access key mistyped; see: tenant platform keys list\n')
    expect(await keys('delete', 'mistyped', name)).toMatchObject({ exitCode: 1, stdout: `${name} deleted\n` })
  })

  it.each([
    ['n\n', [], true],
    ['', [], true],
    ['y\n', [], false],
    ['', ['--yes'], false],
  ])('delete asks on a terminal: %j %j', async (input, flags, kept) => {
    await loginAs('ada')
    const name = newName()
    await keys('create', name)
    const run = await here.platform(['keys', 'delete', name, ...flags], { input, onTerminal: true })
    expect(run.exitCode).toBe(0)
    expect(run.stderr.includes(`Delete the access key ${name}?`)).toBe(flags.length === 0)
    expect((await keys('get', name)).exitCode).toBe(kept ? 0 : 1)
  })

  it('warn users who are about to lock themselves out', async () => {
    await loginAs('ada')
    const name = await here.ownKey()
    const asked = await here.platform(['keys', 'delete', name], { input: 'n\n', onTerminal: true })
    expect(asked.stderr).toContain('It is the one you are logged in with.')
    expect((await keys('disable', name)).stderr).toContain('it is refused from now on')
  })
})

describe('keys explain', () => {
  it('names the layer that refuses, and the smallest change that would help', async () => {
    await loginAs('ada')
    const name = newName()
    await keys('create', name, '--project', 'shop', '-q')
    const { exitCode, stdout } = await keys('explain', name, '--verb', 'delete', '--resource', 'projects')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^refused by scope\n\nLAYER +ALLOWS +WHY\nkey state +yes /)
    expect(stdout).toContain('→ ')
    expect(stdout).toContain('"apiGroups":["management.platform.internal"]')
  })

  it.each([
    ['json', (text: string) => JSON.parse(text)],
    ['yaml', (text: string) => parse(text)],
  ])('answers as %s', async (format, read) => {
    await loginAs('ada')
    const name = newName()
    await keys('create', name, '--virtual-cluster', 'shop/v')
    const target = ['--target', 'virtual-cluster/shop/other']
    const { stdout } = await keys('explain', name, '--verb', 'get', '--resource', 'pods', ...target, '-o', format)
    expect(read(stdout)).toMatchObject({
      spec: { target: { project: 'shop', virtualCluster: 'other' } },
      status: { allowed: false, refusedBy: 'scope' },
    })
    const allowed = await keys('explain', name, '--verb', 'get', '--path', '/version', '-o', 'name')
    expect(allowed.stdout).toBe('allowed\n')
  })
})

describe('keys advise', () => {
  it('prints a patch with the rights that the key has used so far, and their source', async () => {
    await loginAs('ada')
    const name = newName()
    await keys('create', name, '--project', 'shop')
    const { exitCode, stdout, stderr } = await keys('advise', name)
    expect(exitCode).toBe(0)
    expect(parse(stdout)).toEqual({
      spec: { scope: { projects: null, rules: [expect.objectContaining({ verbs: ['get'] })] } },
    })
    expect(stderr).toMatch(/^the key was not used since \d{4}-.*: use it first/)
    const answer = JSON.parse((await keys('advise', name, '-o', 'json')).stdout)
    expect(answer).toMatchObject({ kind: 'AccessKeyAdvice', status: { uses: 0, uncovered: [], usesComplete: true } })
  })

  it('fails for a missing key', async () => {
    await loginAs('ada')
    expect((await keys('advise', 'missing')).exitCode).toBe(1)
  })
})
