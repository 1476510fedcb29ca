import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLmdbStore } from '../../../src/storage/lmdb/open.ts'
import { eventually } from '../../support/eventually.ts'
import { type CountingStore, countingStore } from '../counting-store.ts'
import { grant, group, management, startPlatform, type TestPlatform, userNamed } from '../platform.ts'

export const merge = 'application/merge-patch+json'
export const users = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal'] as const
export type User = (typeof users)[number]

export interface Item {
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

export const members = [
  { kind: 'User', name: 'ann', role: 'viewer' },
  { kind: 'Team', name: 'crew', role: 'admin' },
]

export const placeOf = ({ metadata: { namespace, name } }: Item): string =>
  namespace === undefined ? name : `${namespace}/${name}`
export const inProject = (project: string, plural: string) => `${management}/namespaces/p-${project}/${plural}`

/** The platform with all objects that the users below may or may not see, before any test. */
export interface ViewedPlatform {
  readonly platform: TestPlatform
  readonly counting: CountingStore
  readonly tokens: ReadonlyMap<string, string>
  remove(): Promise<void>
}

/**
 * ann is a member of shop, bob by a team, cat owns bank, dan may get one virtual cluster of bank and one cluster, eve
 * belongs to nothing, fay may get everything in bank by a role, gus may list all virtual clusters, hal joins and
 * leaves.
 */
export async function startViewedPlatform(): Promise<ViewedPlatform> {
  const tokens = new Map<string, string>()
  const directory = await mkdtemp(join(tmpdir(), 'tenant-views-'))
  const counting = countingStore(await openLmdbStore({ directory: join(directory, 'store') }))
  const platform = await startPlatform({ store: counting.store, directory })
  const { makeInstance } = viewsOf(() => ({ platform, tokens }))
  for (const name of users) {
    await platform.must('POST', `${management}/users`, userNamed(name))
    tokens.set(name, await platform.keyOf(name))
  }
  await platform.must('POST', `${management}/teams`, { metadata: { name: 'crew' }, spec: { users: ['bob'] } })
  await platform.must('POST', `${management}/teams`, { metadata: { name: 'board' }, spec: { users: ['cat'] } })
  await makeProject(platform, 'shop', { members })
  await makeProject(platform, 'bank', { owner: { user: 'cat' } })
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
  return {
    platform,
    counting,
    tokens,
    remove: async () => {
      await platform.stop()
      await counting.store.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function makeProject(platform: TestPlatform, name: string, spec: object): Promise<void> {
  await platform.must('POST', `${management}/projects`, { metadata: { name }, spec })
  await eventually(() => platform.must('GET', `/api/v1/namespaces/p-${name}`))
}

/** How tests send requests; the platform exists once they run, not yet while they are declared. */
export function viewsOf(viewed: () => Pick<ViewedPlatform, 'platform' | 'tokens'>) {
  const platform: Pick<TestPlatform, 'ask' | 'must' | 'keyOf' | 'watch'> = {
    ask: (...parameters) => viewed().platform.ask(...parameters),
    must: (...parameters) => viewed().platform.must(...parameters),
    keyOf: (...parameters) => viewed().platform.keyOf(...parameters),
    watch: (...parameters) => viewed().platform.watch(...parameters),
  }
  const tokenOf = (user: User | 'admin'): string =>
    user === 'admin' ? 'admin-token' : (viewed().tokens.get(user) ?? '')
  const get = (user: User | 'admin', path: string, headers = {}) =>
    platform.ask('GET', `${management}/${path}`, { token: tokenOf(user), headers })
  return {
    platform,
    tokenOf,
    get,
    names: async (user: User | 'admin', path: string): Promise<readonly string[]> => {
      const { body } = await get(user, path)
      return body.items.map(placeOf)
    },
    patch: (path: string, spec: object) =>
      platform.ask('PATCH', `${management}/${path}`, { body: { spec }, type: merge }),
    makeInstance: (project: string, name: string, spec: object = {}) =>
      platform.must('POST', inProject(project, 'virtualclusterinstances'), {
        metadata: { name, labels: { of: project } },
        spec,
      }),
  }
}

export type Views = ReturnType<typeof viewsOf>
