import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { eventually } from '../support/eventually.ts'
import { type CountingStore, countingStore } from './counting-store.ts'
import { grant, group, management, type OpenWatch, startPlatform, type TestPlatform, userNamed } from './platform.ts'

let platform: TestPlatform
let directory: string
let counting: CountingStore
const tokens = new Map<string, string>()
const merge = 'application/merge-patch+json'
const kinds = ['projects', 'teams', 'users', 'clusters', 'virtualclusterinstances', 'spaceinstances'] as const
const users = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal'] as const
type User = (typeof users)[number]

interface Item {
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

const tokenOf = (user: User | 'admin'): string => (user === 'admin' ? 'admin-token' : (tokens.get(user) ?? ''))
const get = (user: User | 'admin', path: string, headers = {}) =>
  platform.ask('GET', `${management}/${path}`, { token: tokenOf(user), headers })
const placeOf = ({ metadata: { namespace, name } }: Item): string =>
  namespace === undefined ? name : `${namespace}/${name}`
const names = async (user: User | 'admin', path: string): Promise<readonly string[]> => {
  const { body } = await get(user, path)
  return body.items.map(placeOf)
}
const inProject = (project: string, plural: string) => `${management}/namespaces/p-${project}/${plural}`
const patch = (path: string, spec: object) =>
  platform.ask('PATCH', `${management}/${path}`, { body: { spec }, type: merge })

async function makeProject(name: string, spec: object): Promise<void> {
  await platform.must('POST', `${management}/projects`, { metadata: { name }, spec })
  await eventually(() => platform.must('GET', `/api/v1/namespaces/p-${name}`))
}

const makeInstance = (project: string, name: string, spec: object = {}) =>
  platform.must('POST', inProject(project, 'virtualclusterinstances'), {
    metadata: { name, labels: { of: project } },
    spec,
  })

const members = [
  { kind: 'User', name: 'ann', role: 'viewer' },
  { kind: 'Team', name: 'crew', role: 'admin' },
]

/**
 * ann is a member of shop, bob of it by a team, cat owns bank, dan may get one virtual cluster of bank and one cluster, eve belongs to
 * nothing, fay may get by a role what is in bank, gus may list all virtual clusters, hal comes
 * and goes.
 */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-views-'))
  counting = countingStore(await openLmdbStore({ directory: join(directory, 'store') }))
  platform = await startPlatform({ store: counting.store, directory })
  for (const name of users) {
    await platform.must('POST', `${management}/users`, userNamed(name))
    tokens.set(name, await platform.keyOf(name))
  }
  await platform.must('POST', `${management}/teams`, { metadata: { name: 'crew' }, spec: { users: ['bob'] } })
  await platform.must('POST', `${management}/teams`, { metadata: { name: 'board' }, spec: { users: ['cat'] } })
  await makeProject('shop', { members })
  await makeProject('bank', { owner: { user: 'cat' } })
  for (const name of ['till', 'shelf', 'store']) await makeInstance('shop', name)
  await makeInstance('bank', 'vault')
  await makeInstance('bank', 'counter', { access: [{ verbs: ['get', 'use'], users: ['dan'] }] })
  await makeInstance('bank', 'hidden', { access: [{ verbs: ['use'], users: ['dan'] }] })
  await platform.must('POST', inProject('shop', 'spaceinstances'), {
    apiVersion: `${group}/v1`,
    kind: 'SpaceInstance',
    metadata: { name: 'yard' },
    spec: {},
  })
  for (const [name, access] of Object.entries({ east: [{ verbs: ['get'], users: ['dan'] }], west: [] })) {
    const cluster = { apiVersion: `${group}/v1`, kind: 'Cluster', metadata: { name }, spec: { access } }
    await platform.must('POST', `${management}/clusters`, cluster)
  }
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  const reading = [{ verbs: ['get'], apiGroups: [group], resources: ['virtualclusterinstances'] }]
  await platform.must('POST', `${rbac}/namespaces/p-bank/roles`, { metadata: { name: 'reading' }, rules: reading })
  await platform.must('POST', `${rbac}/namespaces/p-bank/rolebindings`, {
    metadata: { name: 'reading' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reading' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'fay' }],
  })
  await grant(platform, 'gus', [{ verbs: ['list'], apiGroups: [group], resources: ['virtualclusterinstances'] }])
})

afterAll(async () => {
  await platform.stop()
  await counting.store.close()
  await rm(directory, { recursive: true, force: true })
})

describe('a list', () => {
  it.each(users)('shows %s what they could get one by one, and nothing else', async (user) => {
    for (const kind of kinds) {
      const all: readonly Item[] = (await get('admin', kind)).body.items
      const gettable: string[] = []
      for (const item of all) {
        const { namespace, name } = item.metadata
        const path = namespace === undefined ? `${kind}/${name}` : `namespaces/${namespace}/${kind}/${name}`
        if ((await get(user, path)).status === 200) gettable.push(placeOf(item))
      }
      const listsAll = user === 'gus' && kind === 'virtualclusterinstances'
      expect(await names(user, kind), `${kind} of ${user}`).toEqual(listsAll ? all.map(placeOf) : gettable)
    }
  })

  it('is what each is meant to see', async () => {
    const shop = ['p-shop/shelf', 'p-shop/store', 'p-shop/till']
    expect(await names('ann', 'virtualclusterinstances')).toEqual(shop)
    expect(await names('bob', 'virtualclusterinstances')).toEqual(shop)
    expect(await names('bob', 'spaceinstances')).toEqual(['p-shop/yard'])
    expect(await names('bob', 'teams')).toEqual(['crew'])
    expect(await names('cat', 'projects')).toEqual(['bank'])
    expect(await names('dan', 'virtualclusterinstances')).toEqual(['p-bank/counter'])
    expect(await names('dan', 'clusters')).toEqual(['east'])
    expect(await names('fay', 'virtualclusterinstances')).toEqual(['p-bank/counter', 'p-bank/hidden', 'p-bank/vault'])
    for (const kind of kinds) expect(await names('eve', kind)).toEqual(kind === 'users' ? ['eve'] : [])
  })

  it.each([
    ['of another namespace', 'namespaces/p-bank/virtualclusterinstances'],
    ['of a namespace that does not exist', 'namespaces/p-none/virtualclusterinstances'],
    ['by a label', 'virtualclusterinstances?labelSelector=of%3Dbank'],
    ['by the name of an object that is there', 'virtualclusterinstances?fieldSelector=metadata.name%3Dvault'],
    ['by a name that is not there', 'virtualclusterinstances?fieldSelector=metadata.name%3Dnone'],
  ])('%s tells nothing of what is not shown', async (_, path) => {
    const { status, body } = await get('ann', path)
    expect(status).toBe(200)
    expect(body.items).toEqual([])
    expect(Object.keys(body.metadata)).toEqual(['resourceVersion'])
  })

  it.each([
    ['a table', 'application/json;as=Table;v=v1;g=meta.k8s.io', 'rows'],
    ['metadata alone', 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', 'items'],
  ])('as %s has no more', async (_, accept, member) => {
    const { text, body } = await get('ann', 'virtualclusterinstances', { accept })
    expect(body[member]).toHaveLength(3)
    for (const name of ['vault', 'counter', 'hidden']) expect(text).not.toContain(name)
  })

  it('in pages tells neither how many are left nor where hidden ones stand', async () => {
    const first = await get('dan', 'virtualclusterinstances?limit=1')
    expect(first.body.items.map(placeOf)).toEqual(['p-bank/counter'])
    expect(first.body.metadata).not.toHaveProperty('continue')
    const page = await get('ann', 'virtualclusterinstances?limit=2')
    expect(page.body.metadata.remainingItemCount).toBeUndefined()
    const { continue: token } = page.body.metadata
    expect(Buffer.from(token, 'base64url').toString()).toContain('p-shop/store')
    expect(await names('ann', `virtualclusterinstances?limit=2&continue=${token}`)).toEqual(['p-shop/till'])
  })

  it('goes on with the token of a user who sees all, and shows no more for it', async () => {
    const { continue: token } = (await get('admin', 'virtualclusterinstances?limit=1')).body.metadata
    expect(await names('ann', `virtualclusterinstances?continue=${token}`)).toEqual([
      'p-shop/shelf',
      'p-shop/store',
      'p-shop/till',
    ])
    const forged = Buffer.from(JSON.stringify({ v: 'tenant/v1', rv: -1, start: '', left: 99 })).toString('base64url')
    expect(await names('eve', `virtualclusterinstances?continue=${forged}`)).toEqual([])
  })

  it('is refused to strangers, and its right is none to write or delete', async () => {
    expect((await platform.ask('GET', `${management}/projects`, { token: '' })).status).toBe(403)
    const asked = { token: tokenOf('eve') }
    expect((await platform.ask('DELETE', `${management}/projects`, asked)).status).toBe(403)
    expect((await platform.ask('DELETE', inProject('shop', 'virtualclusterinstances'), asked)).status).toBe(403)
    expect((await get('eve', 'connectors')).status).toBe(403)
    expect((await get('eve', 'users/ann')).status).toBe(403)
    expect((await get('eve', 'teams/crew')).status).toBe(403)
    expect((await get('eve', 'teams/none')).status).toBe(403)
  })

  it('stays within the scope of the key in use', async () => {
    const token = await platform.keyOf('ann', { scope: { projects: [{ project: 'bank' }] } })
    const list = (path: string) => platform.ask('GET', `${management}/${path}`, { token })
    expect((await list('namespaces/p-shop/virtualclusterinstances')).status).toBe(403)
    expect((await list('namespaces/p-bank/virtualclusterinstances')).body.items).toEqual([])
  })
})

describe('what a user is told of the right', () => {
  const review = async (user: User, resourceAttributes: object) =>
    (
      await platform.ask('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        token: tokenOf(user),
        body: { spec: { resourceAttributes } },
      })
    ).body.status

  it('is that a list shows a part', async () => {
    const listing = { verb: 'list', group, resource: 'projects' }
    expect(await review('eve', listing)).toEqual({ allowed: true, reason: 'shows only objects that the user may get' })
    expect((await review('eve', { ...listing, verb: 'get', name: 'shop' })).allowed).toBe(false)
    expect((await review('gus', { ...listing, resource: 'virtualclusterinstances' })).reason).toContain('RBAC')
    expect((await review('bob', { verb: 'get', group, resource: 'teams', name: 'crew' })).allowed).toBe(true)
  })

  it('has its rules', async () => {
    const { body } = await platform.ask('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
      token: tokenOf('bob'),
      body: { spec: { namespace: 'p-none' } },
    })
    const rules = body.status.resourceRules.filter(({ apiGroups }: { apiGroups: string[] }) => apiGroups[0] === group)
    expect(rules).toContainEqual({ verbs: ['list', 'watch'], apiGroups: [group], resources: expect.any(Array) })
    expect(rules).toContainEqual({
      verbs: ['get'],
      apiGroups: [group],
      resources: ['teams'],
      resourceNames: ['crew'],
    })
  })

  it('is no right that could be passed on', async () => {
    const path = `${inProject('bank', 'virtualclusterinstances')}/vault`
    const access = (verb: string) => ({ spec: { access: [{ verbs: ['get', 'update', verb], users: ['eve'] }] } })
    await platform.ask('PATCH', path, { body: access('patch'), type: merge })
    const asked = { token: tokenOf('eve'), type: merge }
    expect((await platform.ask('PATCH', path, { ...asked, body: access('list') })).status).toBe(403)
    expect((await platform.ask('PATCH', path, { body: { spec: { access: [] } }, type: merge })).status).toBe(200)
  })
})

describe('a refusal', () => {
  it('tells members what their role lacks and who could allow it, and others nothing', async () => {
    const path = `${inProject('shop', 'virtualclusterinstances')}/till`
    const refusal = async (user: User) => (await platform.ask('DELETE', path, { token: tokenOf(user) })).body.message
    expect(await refusal('ann')).toContain(
      'project shop: the role viewer does not include this; its admins can allow it: team crew',
    )
    expect(await refusal('eve')).not.toContain('crew')
    const missing = `${inProject('none', 'virtualclusterinstances')}/till`
    const other = (await platform.ask('DELETE', missing, { token: tokenOf('eve') })).body.message
    expect(other.replace('p-none', 'p-shop')).toBe(await refusal('eve'))
  })

  it('outside of projects says who could allow it, and names none of them', async () => {
    const byAdministrators = 'at the cluster scope: an administrator of the platform can allow it'
    for (const kind of ['users', 'teams', 'clusters', 'projects', 'connectors', 'oidcclients', 'trustedissuers']) {
      const { status, body } = await platform.ask('POST', `${management}/${kind}`, {
        token: tokenOf('ann'),
        body: { metadata: { name: 'mine' } },
      })
      expect(status, kind).toBe(403)
      expect(body.message).toMatch(new RegExp(`cannot create resource "${kind}" in API group .* ${byAdministrators}$`))
    }
    const deletion = async (project: string, user: User) =>
      (await platform.ask('DELETE', `${management}/projects/${project}`, { token: tokenOf(user) })).body.message
    expect(await deletion('shop', 'ann')).not.toContain('administrator of the platform')
    expect(await deletion('shop', 'eve')).toContain(byAdministrators)
    expect((await deletion('none', 'eve')).replace('"none"', '"shop"')).toBe(await deletion('shop', 'eve'))
  })

  it('keeps the words of Kubernetes for kinds of Kubernetes, and says nothing more to strangers', async () => {
    const listing = await platform.ask('GET', '/api/v1/secrets', { token: tokenOf('ann') })
    expect(listing.body.message).toMatch(/cannot list resource "secrets" in API group "" at the cluster scope$/)
    const stranger = await platform.ask('POST', `${management}/users`, { token: '', body: {} })
    expect([401, 403]).toContain(stranger.status)
    expect(stranger.text).not.toContain('administrator')
  })
})

describe('a watch', () => {
  const events = ({ text }: OpenWatch): readonly string[] =>
    text()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .map(({ type, object }) => `${type} ${object.metadata?.name ?? object.code}`)
  const watching = (user: User, kind: string, query = '') =>
    platform.watch(`${management}/${kind}?watch=true${query}`, tokenOf(user))
  const revisionOf = async (user: User, kind: string): Promise<string> =>
    (await get(user, kind)).body.metadata.resourceVersion
  const told = (watch: OpenWatch, ...expected: readonly string[]) =>
    eventually(async () => expect(events(watch)).toEqual(expected))

  it('shows the part that a list shows, and what comes into it', async () => {
    const watch = await watching('dan', 'virtualclusterinstances')
    await told(watch, 'ADDED counter')
    await makeInstance('bank', 'secret')
    await makeInstance('bank', 'shown', { access: [{ verbs: ['get'], users: ['dan'] }] })
    await told(watch, 'ADDED counter', 'ADDED shown')
    await patch('namespaces/p-bank/virtualclusterinstances/shown', { access: [] })
    await told(watch, 'ADDED counter', 'ADDED shown', 'DELETED shown')
    await patch('namespaces/p-bank/virtualclusterinstances/secret', { access: [{ verbs: ['*'], users: ['dan'] }] })
    await told(watch, 'ADDED counter', 'ADDED shown', 'DELETED shown', 'ADDED secret')
    for (const name of ['secret', 'shown']) {
      await platform.must('DELETE', `${inProject('bank', 'virtualclusterinstances')}/${name}`)
    }
    await told(watch, 'ADDED counter', 'ADDED shown', 'DELETED shown', 'ADDED secret', 'DELETED secret')
    watch.stop()
  })

  it('ends when a membership begins or ends, and goes on from no time before that', async () => {
    const kind = 'virtualclusterinstances'
    const before = await revisionOf('eve', kind)
    const other = await watching('ann', kind, `&resourceVersion=${before}`)
    const watch = await watching('eve', kind, `&resourceVersion=${before}`)
    await patch('projects/bank', { members: [{ kind: 'User', name: 'eve', role: 'viewer' }] })
    await watch.ended
    expect(events(watch)).toEqual([])
    const resumed = await watching('eve', kind, `&resourceVersion=${before}`)
    await resumed.ended
    expect(events(resumed)).toEqual(['ERROR 410'])
    const { pastLists } = counting
    const forged = Buffer.from(JSON.stringify({ v: 'tenant/v1', rv: Number(before), start: '', left: -1 }))
    expect((await get('eve', `${kind}?resourceVersion=${before}&resourceVersionMatch=Exact`)).status).toBe(410)
    expect((await get('eve', `${kind}?continue=${forged.toString('base64url')}`)).status).toBe(410)
    expect(counting.pastLists).toBe(pastLists)

    const page = await get('eve', `${kind}?limit=1`)
    const { resourceVersion, continue: token } = page.body.metadata
    const member = await watching('eve', kind, `&resourceVersion=${resourceVersion}`)
    await makeInstance('bank', 'news')
    await told(member, 'ADDED news')
    await patch('projects/bank', { members: [] })
    await member.ended
    expect((await get('eve', `${kind}?continue=${token}`)).status).toBe(410)
    expect(await names('eve', kind)).toEqual([])
    await platform.must('DELETE', `${inProject('bank', kind)}/news`)
    expect(events(member)).toEqual(['ADDED news'])
    await makeInstance('shop', 'sign')
    await told(other, 'ADDED sign')
    other.stop()
    await platform.must('DELETE', `${inProject('shop', kind)}/sign`)
  })

  it.each([
    ['in the namespace of the project', ''],
    ['for one object', '&fieldSelector=metadata.name%3Dtill'],
  ])('%s ends for a member who leaves it', async (_, query) => {
    const watch = await watching('hal', 'namespaces/p-shop/virtualclusterinstances', query)
    expect(events(watch)).toEqual([])
    await patch('projects/shop', { members: [...members, { kind: 'User', name: 'hal', role: 'user' }] })
    await watch.ended
    const member = await watching('hal', 'namespaces/p-shop/virtualclusterinstances', query)
    await eventually(async () => expect(events(member)).toContain('ADDED till'))
    await patch('projects/shop', { members })
    await member.ended
    expect(await names('hal', 'namespaces/p-shop/virtualclusterinstances')).toEqual([])
  })

  it('of one object by its own grant ends with that', async () => {
    const path = 'namespaces/p-bank/virtualclusterinstances'
    await patch(`${path}/vault`, { access: [{ verbs: ['watch'], users: ['hal'] }] })
    const watch = await watching('hal', path, '&fieldSelector=metadata.name%3Dvault')
    await told(watch, 'ADDED vault')
    await patch(`${path}/vault`, { access: [] })
    await told(watch, 'ADDED vault', 'DELETED vault')
    await patch(`${path}/vault`, { displayName: 'not for hal' })
    await patch(`${path}/vault`, { access: [{ verbs: ['watch'], users: ['hal'] }] })
    await told(watch, 'ADDED vault', 'DELETED vault', 'ADDED vault')
    watch.stop()
    await patch(`${path}/vault`, { access: [] })
  })

  it('of projects tells when they come and go by their own change', async () => {
    const later = await revisionOf('fay', 'projects')
    await patch('projects/bank', { access: [{ verbs: ['get'], users: ['fay'] }] })
    const watch = await watching('fay', 'projects', `&resourceVersion=${later}`)
    await told(watch, 'ADDED bank')
    await patch('projects/bank', { access: [] })
    await told(watch, 'ADDED bank', 'DELETED bank')
    watch.stop()
  })

  it('ends with a role, and with a place in a team', async () => {
    const watch = await watching('fay', 'virtualclusterinstances')
    await told(watch, 'ADDED counter', 'ADDED hidden', 'ADDED vault')
    const binding = '/apis/rbac.authorization.k8s.io/v1/namespaces/p-bank/rolebindings/reading'
    await platform.ask('PATCH', binding, { body: { metadata: { labels: { seen: 'yes' } } }, type: merge })
    await makeInstance('bank', 'later')
    await told(watch, 'ADDED counter', 'ADDED hidden', 'ADDED vault', 'ADDED later')
    await platform.must('DELETE', binding)
    await watch.ended
    expect(await names('fay', 'virtualclusterinstances')).toEqual([])
    await platform.must('DELETE', `${inProject('bank', 'virtualclusterinstances')}/later`)

    const revision = await revisionOf('bob', 'teams')
    const member = await watching('bob', 'teams')
    await told(member, 'ADDED crew')
    await patch('teams/crew', { users: [] })
    await member.ended
    expect(events(member)).toEqual(['ADDED crew'])
    const resumed = await watching('bob', 'teams', `&resourceVersion=${revision}`)
    await resumed.ended
    expect(events(resumed)).toEqual(['ERROR 410'])
    await patch('teams/crew', { users: ['bob'] })
  })

  it('has bookmarks that tell a version and nothing else', async () => {
    const query = '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
    const watch = await watching('eve', 'virtualclusterinstances', query)
    await eventually(async () => expect(watch.text()).toContain('BOOKMARK'))
    expect(watch.text()).not.toContain('p-')
    watch.stop()
  })
})
