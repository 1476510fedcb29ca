import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type Answered, grant, group, keysPath, management, startPlatform, type TestPlatform } from './platform.ts'

/** Every object of the platform that grants rights, written by a user who does not have them. */

let platform: TestPlatform
const tokens = new Map<string, string>()
const merge = 'application/merge-patch+json'
const json = 'application/json-patch+json'
const apply = 'application/apply-patch+yaml'
const rbac = '/apis/rbac.authorization.k8s.io/v1'
const projects = `${management}/projects`
const instances = `${management}/namespaces/p-shop/virtualclusterinstances`
const spaces = `${management}/namespaces/p-shop/spaceinstances`
const writing = ['get', 'list', 'create', 'update', 'patch', 'delete']

beforeAll(async () => {
  platform = await startPlatform()
  for (const name of ['member', 'chief', 'editor', 'helpdesk', 'boss', 'eve']) {
    await platform.must('POST', `${management}/users`, { metadata: { name } })
    tokens.set(name, await platform.keyOf(name))
  }
  const members = [
    { kind: 'User', name: 'member', role: 'user' },
    { kind: 'User', name: 'chief', role: 'admin' },
  ]
  await platform.must('POST', projects, { metadata: { name: 'shop' }, spec: { members } })
  await eventually(() => platform.must('GET', '/api/v1/namespaces/p-shop'))
  await grant(platform, 'editor', [{ apiGroups: [group], resources: ['projects', 'clusters'], verbs: writing }])
  await grant(platform, 'helpdesk', [{ apiGroups: [group], resources: ['users', 'teams'], verbs: writing }])
  await platform.must('POST', `${rbac}/clusterrolebindings`, {
    metadata: { name: 'admins' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: ['devs', 'platform:team:rulers'].map((name) => ({
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'Group',
      name,
    })),
  })
})

afterAll(() => platform.stop())

const ask = (user: string, method: string, path: string, body?: unknown, type?: string): Promise<Answered> =>
  platform.ask(method, path, {
    token: tokens.get(user) ?? '',
    body,
    ...(type === undefined ? {} : { type }),
  })
const status = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status
const readsSecrets = async (user: string) => (await ask(user, 'GET', '/api/v1/secrets')).status === 200

/** Every way to create or change the object. None of them may work. */
async function refusedInEveryWay(user: string, path: string, kind: string, name: string, spec: object): Promise<void> {
  const whole = { apiVersion: `${group}/v1`, kind, metadata: { name }, spec }
  const current = await platform.ask('GET', `${path}/${name}`)
  const exists = current.status === 200
  const attempts: Answered[] = [await ask(user, 'PATCH', `${path}/${name}?fieldManager=x&force=true`, whole, apply)]
  if (exists) {
    const { metadata, spec: before = {} } = current.body
    const operations = [{ op: 'add', path: '/spec', value: { ...before, ...spec } }]
    attempts.push(
      await ask(user, 'PUT', `${path}/${name}`, { ...whole, metadata, spec: { ...before, ...spec } }),
      await ask(user, 'PATCH', `${path}/${name}`, { spec }, merge),
      await ask(user, 'PATCH', `${path}/${name}`, operations, json),
      await ask(user, 'PATCH', `${path}/${name}?dryRun=All`, { spec }, merge),
    )
  } else {
    const generated = { ...whole, metadata: { generateName: `${name}-` } }
    attempts.push(
      await ask(user, 'POST', path, whole),
      await ask(user, 'POST', `${path}?dryRun=All`, whole),
      await ask(user, 'POST', path, generated),
    )
  }
  expect(attempts.map((answer) => answer.status)).toEqual(attempts.map(() => 403))
}

describe('a user who may create objects of a project', () => {
  const admin = { access: [{ users: ['member'], clusterRole: 'cluster-admin', verbs: ['*'] }] }

  it.each([
    ['a role inside', { access: [{ users: ['member'], clusterRole: 'cluster-admin' }] }],
    ['any verb', { access: [{ users: ['member'], verbs: ['*'] }] }],
    ['the verb that makes cluster-admins', { access: [{ users: ['member'], verbs: ['administer'] }] }],
    ['the right to give roles', { access: [{ users: ['member'], verbs: ['bind'] }] }],
  ])('cannot create one that grants them %s', async (_, spec) => {
    await refusedInEveryWay('member', instances, 'VirtualClusterInstance', 'new', spec)
    await refusedInEveryWay('member', spaces, 'SpaceInstance', 'new', spec)
  })

  it('cannot get them by deleting and recreating one', async () => {
    await platform.must('POST', instances, { metadata: { name: 'linked' } })
    await refusedInEveryWay('member', instances, 'VirtualClusterInstance', 'linked', admin)
    expect(await status('member', 'DELETE', `${instances}/linked`)).toBe(200)
    await refusedInEveryWay('member', instances, 'VirtualClusterInstance', 'linked', admin)
    expect(await status('member', 'POST', instances, { metadata: { name: 'linked' } })).toBe(201)
  })

  it('can grant rights that they have, and admins of the project assign roles', async () => {
    const own = { access: [{ users: ['eve'], verbs: ['get', 'use'] }] }
    expect(await status('member', 'POST', instances, { metadata: { name: 'shared' }, spec: own })).toBe(201)
    expect(await status('chief', 'POST', instances, { metadata: { name: 'theirs' }, spec: admin })).toBe(201)
  })

  it('gets only namespace roles of the host in a space, even as an admin of the project', async () => {
    const type = { apiVersion: `${group}/v1`, kind: 'SpaceInstance' }
    const clusterRef = { cluster: 'host', namespace: 'team-web' }
    const path = `${spaces}/placed`
    const giving = (clusterRole: string, users = ['chief']) => ({ access: [{ users, clusterRole }] })
    const strong = 'system:controller:generic-garbage-collector'
    await platform.must('POST', spaces, { ...type, metadata: { name: 'placed' }, spec: { clusterRef } })
    await refusedInEveryWay('chief', spaces, 'SpaceInstance', 'placed', giving(strong))
    for (const role of ['cluster-admin', 'admin', 'edit', 'view'])
      expect(await status('chief', 'PATCH', path, { spec: giving(role) }, merge)).toBe(200)
    const { metadata } = await platform.must('GET', path)
    await platform.must('PUT', path, { ...type, metadata, spec: { clusterRef, ...giving(strong, ['eve']) } })
    expect(await status('chief', 'PATCH', path, { spec: { displayName: 'x' } }, merge)).toBe(200)
    await refusedInEveryWay('chief', spaces, 'SpaceInstance', 'placed', giving(strong, ['eve', 'chief']))
    expect(await status('chief', 'PATCH', path, { spec: { access: [] } }, merge)).toBe(200)
  })

  it('cannot remove a role that a user has inside, even one with fewer rights than their own', async () => {
    const less = { access: [{ users: ['member'], clusterRole: 'view' }] }
    await platform.must('POST', instances, { metadata: { name: 'held' }, spec: less })
    await refusedInEveryWay('member', instances, 'VirtualClusterInstance', 'held', { access: [] })
    expect(await status('member', 'DELETE', `${instances}/held`)).toBe(403)
    expect(await status('chief', 'PATCH', `${instances}/held`, { spec: { access: [] } }, merge)).toBe(200)
    expect(await status('member', 'DELETE', `${instances}/held`)).toBe(200)
  })
})

describe('a user who may write projects', () => {
  it.each([
    ['a member', { members: [{ kind: 'User', name: 'editor', role: 'admin' }] }],
    ['a member with little to do', { members: [{ kind: 'User', name: 'editor', role: 'viewer' }] }],
    ['the owner', { owner: { user: 'editor' } }],
    ['more than they are by access', { access: [{ users: ['editor'], verbs: ['bind'] }] }],
  ])('cannot become %s', async (_, spec) => {
    await refusedInEveryWay('editor', projects, 'Project', 'shop', spec)
    await refusedInEveryWay('editor', projects, 'Project', 'fresh', spec)
  })

  it('can change the rest, and create projects without an owner or members', async () => {
    expect(await status('editor', 'PATCH', `${projects}/shop`, { spec: { displayName: 'x' } }, merge)).toBe(200)
    expect(await status('editor', 'POST', projects, { metadata: { name: 'empty' } })).toBe(201)
  })

  it('can add members with the right to it, like admins of the project', async () => {
    const members = (await platform.must('GET', `${projects}/shop`)).spec.members
    const more = { spec: { members: [...members, { kind: 'User', name: 'eve', role: 'viewer' }] } }
    expect(await status('member', 'PATCH', `${projects}/shop`, more, merge)).toBe(403)
    expect(await status('chief', 'PATCH', `${projects}/shop`, more, merge)).toBe(200)
    expect(await status('editor', 'PATCH', `${projects}/shop`, { spec: { members } }, merge)).toBe(200)
    await grant(platform, 'editor', [{ apiGroups: [group], resources: ['projects'], verbs: ['bind'] }])
    const own = { metadata: { name: 'own' }, spec: { owner: { user: 'editor' } } }
    expect(await status('editor', 'POST', projects, own)).toBe(201)
  })
})

describe('a user who may write clusters', () => {
  it('gets no access to them', async () => {
    const spec = { access: [{ users: ['editor'], clusterRole: 'cluster-admin', verbs: ['use', 'administer'] }] }
    await refusedInEveryWay('editor', `${management}/clusters`, 'Cluster', 'host', spec)
  })
})

describe('a user who may write users and teams', () => {
  const users = `${management}/users`
  const teams = `${management}/teams`

  it('cannot give a user a group, new or existing', async () => {
    for (const name of ['helpdesk', 'new-user']) {
      await refusedInEveryWay('helpdesk', users, 'User', name, { groups: ['devs'] })
      await refusedInEveryWay('helpdesk', users, 'User', name, { groups: ['system:masters'] })
    }
    expect(await readsSecrets('helpdesk')).toBe(false)
  })

  it('cannot give a user the identity of another', async () => {
    for (const subject of ['boss', 'system:admin', 'system:serviceaccount:default:default']) {
      for (const name of ['helpdesk', 'new-user']) {
        await refusedInEveryWay('helpdesk', users, 'User', name, { subject })
      }
    }
  })

  it.each([
    ['a member', { users: ['helpdesk'] }],
    ['a group of members', { groups: ['somebody'] }],
    ['a name', { username: 'system:serviceaccount:default:default' }],
  ])('cannot give a team %s', async (_, spec) => {
    await platform.ask('POST', teams, {
      body: { apiVersion: `${group}/v1`, kind: 'Team', metadata: { name: 'rulers' }, spec: { users: ['boss'] } },
    })
    await refusedInEveryWay('helpdesk', teams, 'Team', 'rulers', spec)
    await refusedInEveryWay('helpdesk', teams, 'Team', 'new-team', spec)
    expect(await status('helpdesk', 'DELETE', `${teams}/rulers`)).toBe(200)
    await refusedInEveryWay('helpdesk', teams, 'Team', 'rulers', spec)
    expect(await readsSecrets('helpdesk')).toBe(false)
  })

  it('can write everything else, and remove groups and members', async () => {
    const made = { metadata: { name: 'plain' }, spec: { displayName: 'x', email: 'plain@example.com' } }
    expect(await status('helpdesk', 'POST', users, made)).toBe(201)
    expect(await status('helpdesk', 'PATCH', `${users}/plain`, { spec: { disabled: true } }, merge)).toBe(200)
    await platform.must('POST', users, { metadata: { name: 'developer' }, spec: { groups: ['devs', 'staff'] } })
    expect(await status('helpdesk', 'PATCH', `${users}/developer`, { spec: { groups: ['staff'] } }, merge)).toBe(200)
    expect(await status('helpdesk', 'POST', teams, { metadata: { name: 'empty' } })).toBe(201)
    await platform.must('POST', teams, { metadata: { name: 'crew' }, spec: { users: ['boss', 'eve'] } })
    expect(await status('helpdesk', 'PATCH', `${teams}/crew`, { spec: { users: ['eve'] } }, merge)).toBe(200)
  })

  it('can give a group with the right to impersonate it, but not a team with that group', async () => {
    await platform.must('POST', teams, { metadata: { name: 'rulers' }, spec: { groups: ['ops'] } })
    const impersonating = (resourceNames: readonly string[], resource: string, apiGroup = '') =>
      grant(platform, 'helpdesk', [
        { apiGroups: [apiGroup], resources: [resource], verbs: ['impersonate'], resourceNames },
      ])
    await impersonating(['ops', 'staff'], 'groups')
    expect(await status('helpdesk', 'PATCH', `${users}/eve`, { spec: { groups: ['staff'] } }, merge)).toBe(200)
    await refusedInEveryWay('helpdesk', users, 'User', 'helpdesk', { groups: ['ops'] })
    expect(await readsSecrets('helpdesk')).toBe(false)
    await impersonating(['rulers'], 'teams', group)
    expect(await status('helpdesk', 'PATCH', `${users}/helpdesk`, { spec: { groups: ['ops'] } }, merge)).toBe(200)
    expect(await readsSecrets('helpdesk')).toBe(true)
    expect(await status('boss', 'PATCH', `${users}/helpdesk`, { spec: { groups: [] } }, merge)).toBe(403)
    await platform.ask('PATCH', `${users}/helpdesk`, { body: { spec: { groups: [] } }, type: merge })
  })

  it('cannot grant anything with a key with a scope, whatever the scope names', async () => {
    const rules = [{ resources: [], nonResourceURLs: ['/none'] }]
    const limited = await platform.keyOf('admin', { scope: { rules } })
    const asked = (path: string, spec: object) =>
      platform.ask('PATCH', path, { token: limited, body: { spec }, type: merge })
    expect((await asked(`${users}/eve`, { groups: ['devs'] })).status).toBe(403)
    expect((await asked(`${users}/eve`, { subject: 'boss' })).status).toBe(403)
    expect((await asked(`${teams}/rulers`, { users: ['eve'] })).status).toBe(403)
    expect((await asked(`${users}/eve`, { displayName: 'Eve' })).status).toBe(200)
  })
})

describe('a user who may impersonate only users', () => {
  it.each([
    ['a group', { groups: ['devs'] }, undefined],
    ['a team', {}, 'rulers'],
  ])('cannot create a key of a user who has rights through %s', async (_, spec, team) => {
    const name = `with-${team ?? 'group'}`
    await platform.must('POST', `${management}/users`, { metadata: { name }, spec })
    if (team !== undefined) {
      await platform.ask('PATCH', `${management}/teams/${team}`, { body: { spec: { users: [name] } }, type: merge })
    }
    await grant(platform, 'eve', [
      { apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: [name, 'boss'] },
    ])
    const key = (user: string) => ({ metadata: { generateName: 'taken-' }, spec: { user } })
    expect(await status('eve', 'POST', keysPath, key('boss'))).toBe(201)
    expect(await status('eve', 'POST', keysPath, key(name))).toBe(403)
    const becoming = await platform.ask('POST', keysPath, {
      token: tokens.get('eve') ?? '',
      body: { metadata: { generateName: 'taken-' }, spec: {} },
      headers: { 'impersonate-user': name },
    })
    expect(becoming.status).toBe(403)
  })
})
