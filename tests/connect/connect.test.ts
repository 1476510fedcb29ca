import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { systemClock } from '../../src/base/clock.ts'
import { makeWorkplace, type Workplace } from '../create/workplace.ts'
import { grant, group, management, startPlatform, type TestPlatform, userNamed } from '../platform/platform.ts'

let platform: TestPlatform
let place: Workplace
let key: string
const usual = () => join(place.directory, '.kube', 'config')
const printed = (code: string) => ['--', process.execPath, '-e', code]

beforeAll(async () => {
  platform = await startPlatform({ clock: systemClock })
  await platform.must('POST', `${management}/users`, userNamed('ada'))
  await platform.must('POST', `${management}/projects`, {
    metadata: { name: 'shop' },
    spec: { members: [{ kind: 'User', name: 'ada', role: 'admin' }] },
  })
  key = await platform.keyOf('ada')
  const instances = `${management}/namespaces/p-shop/virtualclusterinstances`
  await platform.must('POST', instances, { metadata: { name: 'demo' }, spec: { external: true } })
  await platform.must('POST', instances.replace('p-shop', 'p-default'), { metadata: { name: 'others' }, spec: {} })
})
afterAll(() => platform.stop())
beforeEach(async () => {
  place = makeWorkplace()
  const ca = place.file('ca.crt', platform.server.authority)
  const login = ['platform', 'login', platform.server.url, '--access-key-stdin', '--ca', ca, '--name', 'p']
  expect(await place.tenant(login, { input: key })).toMatchObject({ exitCode: 0 })
})
afterEach(() => place.remove())

it('tenant list shows a member the virtual clusters of their projects, and no refusal', async () => {
  const list = async (...args: readonly string[]) => place.tenant(['list', ...args])
  expect(await list('--all-projects', '-o', 'name')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/demo\n$/),
  })
  expect((await list('--all-projects')).stdout).not.toContain('others')
  const stderr = 'You may not see a project default; choose one that you see with --project: shop.\n'
  expect(await list()).toMatchObject({ exitCode: 0, stderr })
})

it('tenant list names a project that does not exist to those who may know', async () => {
  await platform.must('POST', `${management}/users`, userNamed('max'))
  await grant(platform, 'max', [
    { apiGroups: [group], resources: ['virtualclusterinstances', 'projects'], verbs: ['get', 'list'] },
  ])
  const ca = place.file('ca.crt', platform.server.authority)
  const login = ['platform', 'login', platform.server.url, '--access-key-stdin', '--ca', ca, '--name', 'all']
  expect(await place.tenant(login, { input: await platform.keyOf('max') })).toMatchObject({ exitCode: 0 })
  await platform.must('POST', `${management}/projects`, { metadata: { name: 'empty' } })
  const list = async (...args: readonly string[]) => place.tenant(['list', ...args])
  expect(await list('-p', 'empty')).toMatchObject({ exitCode: 0, stderr: 'No virtual clusters in project empty.\n' })
  for (const output of ['table', 'json', 'name']) {
    const given = output === 'table' ? [] : ['-o', output]
    expect(await list('-p', 'mistyped', ...given)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^error: there is no project mistyped; choose one that you see with --project: .*empty/,
      ),
    })
  }
  for (const project of ['mistyped', 'empty']) {
    const stderr = expect.stringContaining(`You may not see a project ${project}; choose one that you see`)
    expect(await list('-p', project, '--platform', 'p')).toEqual({ exitCode: 0, stdout: '', stderr })
  }
})

describe('tenant connect', () => {
  it('makes the virtual cluster the current context, and disconnect goes back', async () => {
    mkdirSync(join(place.directory, '.kube'))
    writeFileSync(
      usual(),
      'apiVersion: v1\nkind: Config\ncontexts: [{name: work, context: {cluster: a}}]\ncurrent-context: work\n',
    )
    const { exitCode, stdout, stderr } = await place.tenant(['connect', 'demo', '--project', 'shop'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
    expect(stderr).toContain('kubectl now talks to demo')
    expect(stderr).toContain('warning: demo is not linked to the platform at the moment')
    expect(parse(readFileSync(usual(), 'utf8'))).toMatchObject({
      'current-context': 'tenant_demo_shop_p',
      clusters: [{ cluster: { server: `${platform.server.url}/kubernetes/project/shop/virtualcluster/demo` } }],
    })
    expect(statSync(usual()).mode & 0o777).toBe(0o600)
    expect(await place.tenant(['disconnect'])).toMatchObject({ exitCode: 0, stderr: 'kubectl is back at work.\n' })
    expect(parse(readFileSync(usual(), 'utf8'))).toMatchObject({ 'current-context': 'work', clusters: [], users: [] })
    expect(await place.tenant(['disconnect'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('was not made by tenant connect; nothing was changed'),
    })
  })

  it('does not make the virtual cluster the host of the next one, nor of itself', async () => {
    expect(await place.tenant(['connect', 'demo', '-p', 'shop'])).toMatchObject({ exitCode: 0 })
    const stderr = expect.stringMatching(
      /is the virtual cluster demo of project shop: .*--context, .* tenant disconnect/,
    )
    for (const command of [
      ['create', 'other', '--driver', 'kubernetes'],
      ['delete', 'demo', '--driver', 'kubernetes', '--yes'],
      ['logs', 'demo'],
      ['doctor', 'demo'],
    ]) {
      expect(await place.tenant(command), command.join(' ')).toMatchObject({ exitCode: 2, stdout: '', stderr })
    }
  })

  it('works for a user who may use the virtual cluster but not read it', async () => {
    await platform.must('POST', `${management}/users`, userNamed('ben'))
    await grant(platform, 'ben', [{ apiGroups: [group], resources: ['virtualclusterinstances'], verbs: ['use'] }])
    const narrow = await platform.keyOf('ben')
    const ca = place.file('ca.crt', platform.server.authority)
    const login = ['platform', 'login', platform.server.url, '--access-key-stdin', '--ca', ca, '--name', 'narrow']
    expect(await place.tenant(login, { input: narrow })).toMatchObject({ exitCode: 0 })
    const path = `${management}/namespaces/p-shop/virtualclusterinstances/demo`
    expect((await platform.ask('GET', path, { token: narrow })).status).toBe(403)
    expect(await place.tenant(['connect', 'demo', '--project', 'shop', '--print'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('virtualcluster/demo'),
    })
  })

  it('writes to the file that kubectl would write to, and keeps a link', async () => {
    const target = place.file('real', '')
    symlinkSync(target, join(place.directory, 'link'))
    const env = { KUBECONFIG: `${join(place.directory, 'none')}:${join(place.directory, 'link')}` }
    expect(await place.tenant(['connect', 'demo', '-p', 'shop'], { env })).toMatchObject({ exitCode: 0 })
    expect(readFileSync(target, 'utf8')).toContain('tenant_demo_shop_p')
  })

  it('prints a kubeconfig and changes nothing with --print', async () => {
    const { exitCode, stdout } = await place.tenant(['connect', 'demo', '-p', 'shop', '--print'])
    expect(exitCode).toBe(0)
    expect(parse(stdout)).toMatchObject({
      users: [{ user: { exec: { apiVersion: 'client.authentication.k8s.io/v1beta1', interactiveMode: 'Never' } } }],
    })
    expect(() => statSync(usual())).toThrow('ENOENT')
  })

  it('writes no secret, unless the user asks for it', async () => {
    const env = { TENANT_CONFIG: join(place.directory, '.tenant', 'config.json') }
    const args = ['connect', 'demo', '-p', 'shop', '--print']
    const { stdout } = await place.tenant([...args, '--key-ttl', '30s'], { env })
    expect(stdout).not.toContain('tpk_')
    const { exec } = parse(stdout).users[0].user
    expect(exec.args.slice(-8)).toEqual(['token', 'demo', '--project', 'shop', '--platform', 'p', '--ttl', '30s'])
    expect(exec.env).toEqual([{ name: 'TENANT_CONFIG', value: env.TENANT_CONFIG }])
    const { stdout: withKey } = await place.tenant([...args, '--static-key'])
    expect(parse(withKey)).toMatchObject({ users: [{ user: { token: key } }] })
    expect(await place.tenant([...args, '--static-key', '--key-ttl', '30s'])).toMatchObject({ exitCode: 2 })
  })

  it.each(['9s', '61m'])(
    'a life of %s, which the platform would refuse at each use, gets into no kubeconfig',
    async (ttl) => {
      const run = await place.tenant(['connect', 'demo', '-p', 'shop', '--key-ttl', ttl])
      expect(run).toMatchObject({ exitCode: 2, stdout: '' })
      expect(run.stderr).toContain('It must be from 10s to 1h.')
      expect(() => statSync(usual())).toThrow('ENOENT')
    },
  )

  it('remembers the project that it switched to, but not one that was only queried', async () => {
    await place.tenant(['connect', 'demo', '-p', 'shop', '--print'])
    expect(await place.tenant(['connect', 'demo', '--print'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('virtual cluster "demo" of project "default"'),
    })
    await place.tenant(['connect', 'demo', '-p', 'shop'])
    expect(await place.tenant(['connect', 'demo', '--print'])).toMatchObject({ exitCode: 0 })
  })

  it('does not switch for a user without access to the virtual cluster, whether it exists or not', async () => {
    await platform.must('POST', `${management}/users`, userNamed('eve'))
    const ca = place.file('ca.crt', platform.server.authority)
    const login = ['platform', 'login', platform.server.url, '--access-key-stdin', '--ca', ca, '--name', 'eve']
    expect(await place.tenant(login, { input: await platform.keyOf('eve') })).toMatchObject({ exitCode: 0 })
    for (const name of ['demo', 'nobody']) {
      const { exitCode, stderr } = await place.tenant(['connect', name, '-p', 'shop'])
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('forbidden') })
    }
    expect(() => statSync(usual())).toThrow('ENOENT')
  })

  it('runs a command in it with a temporary kubeconfig, and returns its exit code', async () => {
    const note = join(place.directory, 'note')
    const code = `const fs = require('fs'); fs.writeFileSync(${JSON.stringify(note)}, process.env.KUBECONFIG + '\\n' + fs.readFileSync(process.env.KUBECONFIG), { mode: 0o600 }); process.exit(7)`
    expect(await place.tenant(['connect', 'demo', '-p', 'shop', ...printed(code)])).toMatchObject({
      exitCode: 7,
      stdout: '',
    })
    const [file = '', ...config] = readFileSync(note, 'utf8').split('\n')
    expect(parse(config.join('\n'))).toMatchObject({ 'current-context': 'tenant_demo_shop_p' })
    expect(() => statSync(file)).toThrow('ENOENT')
  })

  it.each([
    ['success', 'process.exit(0)', 0],
    ['a signal', 'process.kill(process.pid, "SIGKILL")', 137],
  ])('passes on %s of the command', async (_name, code, exitCode) => {
    expect(await place.tenant(['connect', 'demo', '-p', 'shop', ...printed(code)])).toMatchObject({ exitCode })
  })

  it('reports errors', async () => {
    expect(await place.tenant(['connect', 'nobody', '-p', 'shop'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('there is no virtual cluster nobody in project shop'),
    })
    expect(await place.tenant(['connect', 'demo', '-p', 'shop', '--', 'no-such-program'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('cannot run no-such-program: there is no such program'),
    })
    expect(await place.tenant(['connect', 'demo', '-p', 'Shop!'])).toMatchObject({ exitCode: 2 })
    const file = place.file('broken', 'a: [')
    expect(await place.tenant(['connect', 'demo', '-p', 'shop', '--kubeconfig', file])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`cannot change ${file}: it is not valid YAML`),
    })
    expect(readFileSync(file, 'utf8')).toBe('a: [')
    const own = join(place.directory, 'own.kubeconfig')
    expect(await place.tenant(['connect', 'demo', '-p', 'shop', '--kubeconfig', own])).toMatchObject({
      stderr: expect.stringContaining(`Go back with: tenant disconnect --kubeconfig ${own}\n`),
    })
  })
})
