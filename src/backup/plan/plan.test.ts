import { describe, expect, it } from 'vitest'
import type { Kind } from '../../api/kind.ts'
import { toStoredBytes } from '../../registry/document.ts'
import type { ListedBackup } from '../backup-files.ts'
import type { BackupSource } from '../envelope/header.ts'
import { ChosenObjects, parseObjectChoice } from './chosen-objects.ts'
import { restoredObject } from './restored-object.ts'
import { expiredBackups, type Retention } from './retention.ts'

const source: BackupSource = { type: 'platform', name: 'local', uid: 'uid-1' }
const nowMs = Date.parse('2026-11-16T00:00:00Z')

function backup(name: string, daysAgo: number, of: BackupSource = source): ListedBackup {
  const createdAt = new Date(nowMs - daysAgo * 86_400_000).toISOString()
  const header = { name, createdAt, source: of, revision: 1, storeFormat: 1, program: '0', keyId: 'k', salt: 's' }
  return { state: 'complete', name, bytes: 1, header }
}

describe('expired backups', () => {
  const listed: readonly ListedBackup[] = [
    backup('c', 2),
    backup('d', 40),
    backup('a', 0),
    backup('b', 1),
    backup('of-another', 100, { ...source, uid: 'uid-2' }),
    backup('of-one-whose-uid-was-claimed', 100, { ...source, name: 'victim' }),
    { state: 'draft', name: 'draft', bytes: 1 },
    { state: 'unreadable', name: 'odd', bytes: 1, problem: 'no backup' },
  ]

  it.each<[Retention, readonly string[]]>([
    [{}, []],
    [{ keep: 10 }, []],
    [{ keep: 2 }, ['c', 'd']],
    [{ keep: 1 }, ['b', 'c', 'd']],
    [{ keepDays: 30 }, ['d']],
    [{ keep: 3, keepDays: 1 }, ['c', 'd']],
  ])('%j', (retention, names) => {
    expect(expiredBackups(listed, source, retention, nowMs).map(({ name }) => name)).toEqual(names)
  })

  it('do not include the newest one, however old it is', () => {
    expect(expiredBackups([backup('old', 400)], source, { keepDays: 1 }, nowMs)).toEqual([])
  })
})

describe('an object that is created again', () => {
  const metadata = {
    name: 'app',
    namespace: 'default',
    uid: 'u',
    creationTimestamp: 'then',
    generation: 3,
    managedFields: [],
    labels: { app: 'web' },
  }
  const kept = { name: 'app', namespace: 'default', labels: { app: 'web' } }
  const bound = { 'pv.kubernetes.io/bind-completed': 'yes' }
  const ofClaim = {
    ...bound,
    'pv.kubernetes.io/bound-by-controller': 'yes',
    'volume.kubernetes.io/selected-node': 'n',
    'volume.kubernetes.io/storage-provisioner': 'p',
    'volume.beta.kubernetes.io/storage-provisioner': 'p',
  }

  it.each<[string, object, object]>([
    ['core/configmaps', { metadata, data: { a: '1' } }, { metadata: kept, data: { a: '1' } }],
    [
      'apps/deployments',
      { metadata, spec: { replicas: 2 }, status: { replicas: 2 } },
      { metadata: kept, spec: { replicas: 2 } },
    ],
    ['core/pods', { metadata, spec: { nodeName: 'n', containers: [] } }, { metadata: kept, spec: { containers: [] } }],
    [
      'core/services',
      { metadata, spec: { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ports: [{ port: 80, nodePort: 30_000 }] } },
      { metadata: kept, spec: { ports: [{ port: 80 }] } },
    ],
    ['core/services', { metadata, spec: { clusterIP: 'None' } }, { metadata: kept, spec: { clusterIP: 'None' } }],
    [
      'core/persistentvolumeclaims',
      { metadata: { ...metadata, annotations: { ...ofClaim, note: 'n' } }, spec: { volumeName: 'v', accessModes: [] } },
      { metadata: { ...kept, annotations: { note: 'n' } }, spec: { accessModes: [] } },
    ],
    [
      'core/persistentvolumeclaims',
      { metadata: { ...metadata, annotations: bound }, spec: { volumeName: 'chosen' } },
      { metadata: { ...kept, annotations: {} }, spec: { volumeName: 'chosen' } },
    ],
    ['example.com/notes', { metadata, spec: 'a text' }, { metadata: kept, spec: 'a text' }],
    [
      'batch/jobs',
      { metadata, spec: { selector: {}, template: { metadata: { labels: { 'controller-uid': 'u', a: 'b' } } } } },
      { metadata: kept, spec: { template: { metadata: { labels: { a: 'b' } } } } },
    ],
  ])('%s is as a client would create it', (kind, stored, object) => {
    expect(restoredObject(kind, { ...stored })).toEqual({ fate: 'made', object })
  })

  it.each<[string, object, RegExp]>([
    ['core/events', { metadata }, /of one moment/],
    ['core/secrets', { metadata, type: 'kubernetes.io/service-account-token' }, /another account/],
    [
      'core/pods',
      { metadata: { ...metadata, ownerReferences: [{ kind: 'ReplicaSet', name: 'web', controller: true }] } },
      /made by its ReplicaSet web/,
    ],
    ['core/pods', { metadata: { ...metadata, deletionTimestamp: 'now' } }, /was being deleted/],
    ['management.platform.internal/ownedaccesskeys', { metadata }, /is an access key/],
  ])('%s may be left out', (kind, stored, why) => {
    const restored = restoredObject(kind, { ...stored })
    expect(restored).toMatchObject({ fate: 'left out', why: expect.stringMatching(why) })
  })
})

it.each([
  ['configmaps/app', { plural: 'configmaps', name: 'app', namespace: 'n' }],
  ['deployments.apps/web', { plural: 'deployments', group: 'apps', name: 'web', namespace: 'n' }],
  ['app', undefined],
  ['a/b/c', undefined],
  ['../x', undefined],
])('%s names an object, or none', (text, choice) => {
  expect(parseObjectChoice(text, 'n')).toEqual(choice)
})

it('keeps integers that a double does not hold', () => {
  const chosen = new ChosenObjects({ type: 'namespace', namespace: 'n' })
  const kind = { group: 'e.com', version: 'v1', kind: 'Thing', plural: 'things' } as Kind
  const metadata = { name: 'a', namespace: 'n' }
  const value = toStoredBytes(
    kind,
    { apiVersion: 'e.com/v1', kind: 'Thing', metadata, spec: { id: 2n ** 60n } },
    undefined,
  )
  chosen.add({ key: '/objects/e.com/things/n/a', value, revision: 1 })
  expect(chosen.objects[0]?.object).toEqual({ metadata, spec: { id: 2n ** 60n } })
})

it('includes the visible part of an object, but nothing sealed', () => {
  const chosen = new ChosenObjects({ type: 'namespace', namespace: 'p-shop' })
  const key = '/objects/management.platform.internal/virtualclusterinstances/p-shop/web'
  const value = Buffer.from('{"metadata":{"name":"web","namespace":"p-shop"}}\n{"proof":"sealed-secret"}')
  chosen.add({ key, value, revision: 1 })
  expect(chosen.objects).toHaveLength(1)
  expect(JSON.stringify(chosen.objects)).not.toContain('sealed-secret')
})
