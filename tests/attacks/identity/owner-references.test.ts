import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grant, group, keysPath, management, startPlatform, type TestPlatform } from '../../platform/platform.ts'
import { eventually } from '../../support/eventually.ts'

/** An object whose owner does not exist is garbage collected: a way to delete it without the right to. */

const instances = `${management}/namespaces/p-shop/virtualclusterinstances`
const merge = 'application/merge-patch+json'
const json = 'application/json-patch+json'
const apply = 'application/apply-patch+yaml'
const absent = { apiVersion: 'v1', kind: 'Namespace', name: 'absent', uid: 'no-such-uid' }
const tokens = new Map<string, string>()
let platform: TestPlatform

beforeAll(async () => {
  platform = await startPlatform()
  for (const name of ['member', 'chief', 'helpdesk']) {
    await platform.must('POST', `${management}/users`, { metadata: { name } })
    tokens.set(name, await platform.keyOf(name))
  }
  const members = [
    { kind: 'User', name: 'member', role: 'user' },
    { kind: 'User', name: 'chief', role: 'admin' },
  ]
  await platform.must('POST', `${management}/projects`, { metadata: { name: 'shop' }, spec: { members } })
  await eventually(() => platform.must('GET', '/api/v1/namespaces/p-shop'))
  const verbs = ['get', 'create', 'update', 'patch']
  await grant(platform, 'helpdesk', [{ apiGroups: [group], resources: ['users', 'teams'], verbs }])
})

afterAll(() => platform.stop())

const ask = (user: string, method: string, path: string, body?: unknown, type?: string) =>
  platform.ask(method, path, { token: tokens.get(user) ?? '', body, ...(type === undefined ? {} : { type }) })

/** Tries every way in which an object can get an owner. */
async function refusedInEveryWay(user: string, path: string): Promise<void> {
  const { metadata, ...rest } = await platform.must('GET', path)
  const { name } = metadata
  const whole = { ...rest, metadata: { ...metadata, ownerReferences: [absent] } }
  const applied = { apiVersion: rest.apiVersion, kind: rest.kind, metadata: { name, ownerReferences: [absent] } }
  const answers = [
    await ask(user, 'PUT', path, whole),
    await ask(user, 'PATCH', path, { metadata: { ownerReferences: [absent] } }, merge),
    await ask(user, 'PATCH', path, [{ op: 'add', path: '/metadata/ownerReferences', value: [absent] }], json),
    await ask(user, 'PATCH', `${path}?fieldManager=x&force=true`, applied, apply),
    await ask(user, 'PATCH', `${path}?dryRun=All`, { metadata: { ownerReferences: [absent] } }, merge),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))
  expect((await platform.must('GET', path)).metadata.ownerReferences).toBeUndefined()
}

describe('an object is not deleted through an owner reference that is added', () => {
  it('by a member without the right to delete the objects that limit them', async () => {
    const spec = { access: [{ users: ['member'], clusterRole: 'view' }] }
    await platform.must('POST', instances, { metadata: { name: 'held' }, spec })
    await refusedInEveryWay('member', `${instances}/held`)
  })

  it('by a member who prepares for such an object', async () => {
    const prepared = { metadata: { name: 'prepared', ownerReferences: [absent] } }
    expect((await ask('member', 'POST', instances, prepared)).status).toBe(403)
    expect((await ask('member', 'POST', instances, { metadata: { name: 'prepared' } })).status).toBe(201)
  })

  it('by an admin of a project without the right to delete it', async () => {
    await refusedInEveryWay('chief', `${management}/projects/shop`)
  })

  it('by a caller with the right to update users and teams', async () => {
    await platform.must('POST', `${management}/teams`, { metadata: { name: 'crew' } })
    await refusedInEveryWay('helpdesk', `${management}/users/member`)
    await refusedInEveryWay('helpdesk', `${management}/teams/crew`)
  })

  it('by a key whose scope grants updates but no deletions', async () => {
    const rules = [{ resources: [{ group, resources: ['users'] }], verbs: ['get', 'update', 'patch'] }]
    tokens.set('limited', await platform.keyOf('admin', { scope: { rules } }))
    await refusedInEveryWay('limited', `${management}/users/member`)
  })

  it('unless the writer has the right to delete it', async () => {
    const owner = await platform.must('POST', instances, { metadata: { name: 'owner' } })
    const { apiVersion, kind, metadata } = owner
    const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }]
    const owned = { metadata: { name: 'owned', ownerReferences } }
    expect((await ask('chief', 'POST', instances, owned)).status).toBe(201)
    const other = [{ ...ownerReferences[0], name: 'other' }]
    const change = { metadata: { ownerReferences: other } }
    expect((await ask('member', 'PATCH', `${instances}/owned`, change, merge)).status).toBe(403)
    const displayName = { spec: { displayName: 'x' } }
    expect((await ask('member', 'PATCH', `${instances}/owned`, displayName, merge)).status).toBe(200)
    const own = await ask('member', 'POST', keysPath, { metadata: { name: 'own', ownerReferences } })
    expect(own.status).toBe(201)
  })
})
