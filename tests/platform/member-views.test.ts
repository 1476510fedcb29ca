import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memberWatches } from './member-views/watches.ts'
import {
  type Item,
  inProject,
  merge,
  placeOf,
  startViewedPlatform,
  type User,
  users,
  type ViewedPlatform,
  viewsOf,
} from './member-views/world.ts'
import { group, management } from './platform.ts'

const kinds = ['projects', 'teams', 'users', 'clusters', 'virtualclusterinstances', 'spaceinstances'] as const

let viewed: ViewedPlatform
const views = viewsOf(() => viewed)
const { platform, tokenOf, get, names } = views

beforeAll(async () => {
  viewed = await startViewedPlatform()
})
afterAll(() => viewed.remove())

describe('a list', () => {
  it.each(users)('shows %s exactly the objects that they may get', async (user) => {
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

  it('contains what each user should see', async () => {
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
    ['by the name of an existing object', 'virtualclusterinstances?fieldSelector=metadata.name%3Dvault'],
    ['by a name that does not exist', 'virtualclusterinstances?fieldSelector=metadata.name%3Dnone'],
  ])('%s reveals nothing about hidden objects', async (_, path) => {
    const { status, body } = await get('ann', path)
    expect(status).toBe(200)
    expect(body.items).toEqual([])
    expect(body.metadata).toEqual({ continue: '', resourceVersion: expect.any(String) })
  })

  it.each([
    ['a table', 'application/json;as=Table;v=v1;g=meta.k8s.io', 'rows'],
    ['metadata alone', 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', 'items'],
  ])('as %s contains no more', async (_, accept, member) => {
    const { text, body } = await get('ann', 'virtualclusterinstances', { accept })
    expect(body[member]).toHaveLength(3)
    for (const name of ['vault', 'counter', 'hidden']) expect(text).not.toContain(name)
  })

  it('in pages reveals neither the remaining count nor the position of hidden objects', async () => {
    const first = await get('dan', 'virtualclusterinstances?limit=1')
    expect(first.body.items.map(placeOf)).toEqual(['p-bank/counter'])
    expect(first.body.metadata.continue).toBe('')
    const page = await get('ann', 'virtualclusterinstances?limit=2')
    expect(page.body.metadata.remainingItemCount).toBeUndefined()
    const { continue: token } = page.body.metadata
    expect(Buffer.from(token, 'base64url').toString()).toContain('p-shop/store')
    expect(await names('ann', `virtualclusterinstances?limit=2&continue=${token}`)).toEqual(['p-shop/till'])
  })

  it('accepts the continue token of a user who sees all, and shows no more', async () => {
    const { continue: token } = (await get('admin', 'virtualclusterinstances?limit=1')).body.metadata
    expect(await names('ann', `virtualclusterinstances?continue=${token}`)).toEqual([
      'p-shop/shelf',
      'p-shop/store',
      'p-shop/till',
    ])
    const forged = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: -1, start: '\0', left: 99 })).toString(
      'base64url',
    )
    expect(await names('eve', `virtualclusterinstances?continue=${forged}`)).toEqual([])
  })

  it('is refused to strangers, and the right does not include writing or deleting', async () => {
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

describe('the right in reviews', () => {
  const review = async (user: User, resourceAttributes: object) =>
    (
      await platform.ask('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        token: tokenOf(user),
        body: { spec: { resourceAttributes } },
      })
    ).body.status

  it('is reported as partial', async () => {
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

  it('cannot be granted to others', async () => {
    const path = `${inProject('bank', 'virtualclusterinstances')}/vault`
    const access = (verb: string) => ({ spec: { access: [{ verbs: ['get', 'update', verb], users: ['eve'] }] } })
    await platform.ask('PATCH', path, { body: access('patch'), type: merge })
    const asked = { token: tokenOf('eve'), type: merge }
    expect((await platform.ask('PATCH', path, { ...asked, body: access('list') })).status).toBe(403)
    expect((await platform.ask('PATCH', path, { body: { spec: { access: [] } }, type: merge })).status).toBe(200)
  })
})

describe('a refusal', () => {
  it('names the missing right and who could grant it to members, and nothing to others', async () => {
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

  it('outside projects names what could allow it, but no users', async () => {
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

  it('keeps the messages of Kubernetes for its kinds, and tells strangers nothing more', async () => {
    const listing = await platform.ask('GET', '/api/v1/secrets', { token: tokenOf('ann') })
    expect(listing.body.message).toMatch(/cannot list resource "secrets" in API group "" at the cluster scope$/)
    const stranger = await platform.ask('POST', `${management}/users`, { token: '', body: {} })
    expect([401, 403]).toContain(stranger.status)
    expect(stranger.text).not.toContain('administrator')
  })
})

memberWatches(views, () => viewed.counting)
