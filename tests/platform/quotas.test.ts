import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccessKey } from '../../src/api/types/management.ts'
import { type StorePlace, storePlace } from '../attacks/fairness/support/engine-stores.ts'
import { stores } from '../attacks/support/stores.ts'
import { tenantScope } from '../link/support.ts'
import { eventually } from '../support/eventually.ts'
import { overHttp1, signIn } from './browser-client.ts'
import { grant, group, keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

const quotas = { keysPerOwner: 20, projectsPerCreator: 3, virtualClustersPerProject: 3, spacesPerProject: 3 }
const instancesOf = (project: string) => `${management}/namespaces/p-${project}/virtualclusterinstances`
const spacesOf = (project: string) => `${management}/namespaces/p-${project}/spaceinstances`
const merge = 'application/merge-patch+json'
const space = (name: string) => ({
  apiVersion: `${group}/v1`,
  kind: 'SpaceInstance',
  metadata: { name },
  spec: { displayName: name },
})

describe.each(stores)('quotas of the platform on the %s store', (storeName) => {
  let place: StorePlace
  let platform: TestPlatform
  let close = async (): Promise<void> => {}
  const start = async () => {
    const store = await place.open()
    platform = await startPlatform({
      store,
      platform: { domain: 'platform.internal', quotas, settings: { sessionsPerOwner: 2 } },
    })
    close = async () => {
      await platform.stop()
      await store.close()
    }
  }
  beforeAll(async () => {
    place = await storePlace(storeName)
    await start()
  }, 240_000)
  afterAll(async () => {
    await close()
    await place.remove()
  })

  const tokens = new Map<string, string>()
  /** A new user, and a key of theirs. */
  const newUser = async (name: string) => {
    await platform.must('POST', `${management}/users`, userNamed(name))
    const token = await platform.keyOf(name)
    tokens.set(name, token)
    return token
  }
  const make = (token: string, name: string, spec: object = {}) =>
    platform.ask('POST', keysPath, { token, body: { metadata: { name }, spec } })
  const makeMany = (token: string, prefix: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => make(token, `${prefix}-${index}`)))
  const codes = (answers: readonly { readonly status: number }[], status: number) =>
    answers.filter((answer) => answer.status === status).length

  it('allow exactly as many keys as the limit, however many requests are concurrent', async () => {
    const token = await newUser('ann')
    const answers = await makeMany(token, 'ann', 60)
    expect(codes(answers, 201)).toBe(19)
    expect(codes(answers, 403)).toBe(41)
    const refused = answers.find(({ status }) => status === 403)
    expect(refused?.body.message).toMatch(
      /^ownedaccesskeys\.management\.platform\.internal "ann-\d+" is forbidden: exceeded quota: access keys of user ann, requested: 1, used: 20, limited: 20; delete access keys that are no longer needed, or ask an administrator of the platform to raise --max-keys-per-owner$/,
    )
    expect(refused?.body).toMatchObject({ reason: 'Forbidden', code: 403, details: { kind: 'ownedaccesskeys' } })
  })

  it('free a slot for each deleted key', async () => {
    const token = await newUser('ben')
    await makeMany(token, 'ben', 19)
    expect((await make(token, 'ben-more')).status).toBe(403)
    await platform.ask('DELETE', `${keysPath}/ben-0`, { token })
    const answers = await makeMany(token, 'ben-again', 5)
    expect(codes(answers, 201)).toBe(1)
  })

  it('count nothing that was not created: a dry run, a taken name, an invalid body', async () => {
    const token = await newUser('cid')
    await makeMany(token, 'cid', 18)
    expect((await make(token, 'cid-0')).status).toBe(409)
    expect((await make(token, 'cid-wrong', { type: 'Login' })).status).toBe(422)
    const dryRun = () =>
      platform.ask('POST', `${keysPath}?dryRun=All`, { token, body: { metadata: { name: 'cid-dry' }, spec: {} } })
    expect((await dryRun()).status).toBe(201)
    expect((await dryRun()).status).toBe(201)
    expect((await make(token, 'cid-last')).status).toBe(201)
    expect((await dryRun()).status).toBe(403)
  })

  it('count a key for its new owner after a transfer, which may be refused', async () => {
    await newUser('dan')
    await newUser('eve')
    for (let index = 0; index < 19; index += 1) await make('admin-token', `eve-${index}`, { user: 'eve' })
    await make('admin-token', 'moved', { user: 'dan' })
    await grant(platform, 'fay', [
      { apiGroups: ['*'], resources: ['users', 'users/accesskeys', 'ownedaccesskeys'], verbs: ['*'] },
    ])
    const fay = await newUser('fay')
    const move = (user: string) =>
      platform.ask('PATCH', `${keysPath}/moved`, { token: fay, type: merge, body: { spec: { user } } })
    expect((await move('eve')).text).toContain('exceeded quota: access keys of user eve, requested: 1, used: 20')
    await platform.ask('DELETE', `${keysPath}/eve-0`)
    expect((await move('eve')).status).toBe(200)
    expect((await make('admin-token', 'moved-2', { user: 'dan' })).status).toBe(201)
  })

  it('do not refuse administrators, whose keys still count', async () => {
    const token = await newUser('gus')
    for (let index = 0; index < 25; index += 1) {
      expect((await make('admin-token', `gus-${index}`, { user: 'gus' })).status).toBe(201)
    }
    expect((await make(token, 'gus-own')).text).toContain('used: 26, limited: 20')
  })

  it('limit the size of keys, too', async () => {
    const token = await newUser('hal')
    const large = { description: 'x'.repeat(200_000) }
    const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => make(token, `hal-${index}`, large)))
    expect(codes(answers, 201)).toBe(3)
    expect(answers.find(({ status }) => status === 403)?.text).toMatch(/requested: 20\d{4} bytes, used: \d+ bytes/)
    expect((await make(token, 'hal-small')).status).toBe(201)
    const patch = (description: string) =>
      platform.ask('PATCH', `${keysPath}/hal-small`, { token, type: merge, body: { spec: { description } } })
    expect((await patch('y'.repeat(200_000))).text).toContain('exceeded quota: access keys of user hal')
    expect((await patch('y')).status).toBe(200)
  })

  it('leave sessions to their own limit: the least recently used one ends', async () => {
    const token = await newUser('ida')
    await makeMany(token, 'ida', 19)
    const send = overHttp1(() => platform.server)
    const sessions = [await signIn(send, token), await signIn(send, token), await signIn(send, token)]
    await eventually(async () => {
      const listed = await platform.must('GET', keysPath)
      const items: readonly AccessKey[] = listed.items
      const names = items.filter(({ spec }) => spec?.type === 'Login').map(({ metadata }) => metadata.name)
      expect(names).toHaveLength(2)
      expect(names).toContain(sessions[2]?.keyName)
    })
  })

  it('do not let a key end sessions that were started with another key of its owner', async () => {
    const token = await newUser('jan')
    const narrow = (
      await make(token, 'jan-narrow', {
        scope: { virtualClusters: [{ project: 'p', virtualCluster: 'v' }] },
      })
    ).body.spec.key
    const send = overHttp1(() => platform.server)
    const own = await signIn(send, token)
    platform.clock.advance(60_000)
    const last = [await signIn(send, narrow), await signIn(send, narrow), await signIn(send, narrow)].at(-1)
    await eventually(async () => {
      const listed = await platform.must('GET', keysPath)
      const items: readonly AccessKey[] = listed.items
      const names = items
        .filter(({ spec }) => spec?.type === 'Login' && spec.user === 'jan')
        .map(({ metadata }) => metadata.name)
      expect(names.sort()).toEqual([own.keyName, last?.keyName].sort())
    })
  })

  it('limit the projects of each user who creates them, whatever owner they name', async () => {
    await grant(platform, 'joe', [{ apiGroups: [group], resources: ['projects'], verbs: ['*'] }])
    const joe = await newUser('joe')
    const project = (name: string) =>
      platform.ask('POST', `${management}/projects`, { token: joe, body: { metadata: { name }, spec: {} } })
    const answers = await Promise.all(Array.from({ length: 9 }, (_, index) => project(`joe-${index}`)))
    expect(codes(answers, 201)).toBe(3)
    expect(answers.find(({ status }) => status === 403)?.text).toContain(
      'exceeded quota: projects made by user joe, requested: 1, used: 3, limited: 3',
    )
    const made = answers.find(({ status }) => status === 201)?.body.metadata.name
    expect(JSON.stringify(await platform.must('GET', `${management}/projects/${made}`))).not.toContain('creator')
    await platform.must('PATCH', `${management}/projects/${made}`, { spec: { owner: { user: 'ann' } } }).catch(() => {})
    expect((await project('joe-more')).status).toBe(403)
    await platform.must('DELETE', `${management}/projects/${made}`)
    expect((await project('joe-more')).status).toBe(201)
  })

  it('limit the virtual clusters and the spaces of each project separately', async () => {
    const kim = await newUser('kim')
    for (const project of ['blue', 'green']) {
      await platform.must('POST', `${management}/projects`, {
        metadata: { name: project },
        spec: { members: [{ kind: 'User', name: 'kim' }] },
      })
      await eventually(() => platform.must('GET', `/api/v1/namespaces/p-${project}`))
    }
    const cluster = (project: string, name: string) =>
      platform.ask('POST', instancesOf(project), { token: kim, body: { metadata: { name }, spec: { external: true } } })
    const clusters = await Promise.all(Array.from({ length: 8 }, (_, index) => cluster('blue', `c-${index}`)))
    expect(codes(clusters, 201)).toBe(3)
    expect(clusters.find(({ status }) => status === 403)?.text).toContain(
      'exceeded quota: virtualclusterinstances of project blue, requested: 1, used: 3, limited: 3',
    )
    expect((await cluster('green', 'c-0')).status).toBe(201)
    const spaces = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        platform.ask('POST', spacesOf('blue'), { token: kim, body: space(`s-${index}`) }),
      ),
    )
    expect(codes(spaces, 201)).toBe(3)
    expect(spaces.find(({ status }) => status === 403)?.text).toContain('--max-spaces-per-project')
  })

  it('limit virtual clusters that register themselves', async () => {
    await platform.must('POST', `${management}/projects`, { metadata: { name: 'wild' }, spec: {} })
    const token = await platform.keyOf('admin', { scope: tenantScope })
    const register = (name: string) =>
      platform.ask('POST', `${instancesOf('wild')}/${name}/register`, {
        token,
        body: { spec: { namespace: `ns-${name}`, virtualCluster: name, serviceUid: `uid-${name}` } },
      })
    for (let index = 0; index < 3; index += 1) expect((await register(`r-${index}`)).status).toBe(201)
    expect((await register('r-3')).text).toContain('exceeded quota: virtualclusterinstances of project wild')
    expect((await register('r-0')).status, 'one that is known registers again').not.toBe(403)
  })

  it('are the same after a restart', async () => {
    await close()
    await start()
    const tokenOf = (name: string) => tokens.get(name) ?? ''
    expect((await make(tokenOf('ann'), 'ann-late')).text).toContain('used: 20, limited: 20')
    const refused = await platform.ask('POST', `${management}/projects`, {
      token: tokenOf('joe'),
      body: { metadata: { name: 'joe-late' }, spec: {} },
    })
    expect(refused.text).toContain('projects made by user joe')
    const again = await platform.ask('POST', spacesOf('blue'), { token: tokenOf('kim'), body: space('s-late') })
    expect(again.text).toContain('spaceinstances of project blue')
  })
})
