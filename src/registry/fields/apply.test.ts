import { describe, expect, it } from 'vitest'
import { accessKey, configMap, garden, service } from '../../../tests/support/examples/kinds.ts'
import { defined, Story } from '../../../tests/support/examples/story.ts'

describe('two managers and one access key, as recorded', () => {
  const config = {
    metadata: { labels: { a: '1' } },
    spec: { displayName: 'one', groups: ['g1'], scope: { roles: [{ role: 'tenant', projects: ['*'] }] } },
  }
  const m1 = {
    'f:metadata': { 'f:labels': { 'f:a': {} } },
    'f:spec': { 'f:displayName': {}, 'f:groups': {}, 'f:scope': { 'f:roles': {} } },
  }
  const created = () => new Story(accessKey).apply('m1', config)

  it('the first apply creates, and owns the leaves of its configuration', () => {
    const story = created()
    expect(story.members).toEqual({ labels: { a: '1' }, spec: config.spec })
    expect(story.owners).toEqual({ 'm1 Apply': m1 })
  })

  it('the same apply again changes nothing, not even a time', () => {
    const story = created()
    const before = story.object
    expect(story.apply('m1', config).object).toEqual(before)
  })

  it('another value is a conflict that names the owner and the field', () => {
    const story = created()
    const refusal = story.refusal(() => story.apply('m2', { spec: { displayName: 'two' } }))
    expect(refusal.status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Apply failed with 1 conflict: conflict with "m1": .spec.displayName',
      reason: 'Conflict',
      details: {
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.displayName' }],
      },
      code: 409,
    })
  })

  it('several conflicts are listed by owner', () => {
    const story = created()
    const refusal = story.refusal(() =>
      story.apply('m2', { metadata: { labels: { a: '2' } }, spec: { displayName: 'two' } }),
    )
    expect(refusal.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "m1":\n- .metadata.labels.a\n- .spec.displayName',
    )
    expect(refusal.status.details?.causes?.map((cause) => cause.field)).toEqual([
      '.metadata.labels.a',
      '.spec.displayName',
    ])
  })

  it('equal values are shared, force takes them, and dropping removes what no other manager owns', () => {
    const story = created().apply('m2', { spec: { displayName: 'one', user: 'u' } })
    expect(story.owners).toEqual({ 'm1 Apply': m1, 'm2 Apply': { 'f:spec': { 'f:displayName': {}, 'f:user': {} } } })

    story.apply('m2', { spec: { displayName: 'two', user: 'u' } }, { force: true })
    expect(story.owners).toEqual({
      'm1 Apply': { ...m1, 'f:spec': { 'f:groups': {}, 'f:scope': { 'f:roles': {} } } },
      'm2 Apply': { 'f:spec': { 'f:displayName': {}, 'f:user': {} } },
    })

    story.apply('m1', { spec: {} })
    expect(story.members).toEqual({ spec: { displayName: 'two', user: 'u' } })
    expect(story.owners).toEqual({
      'm1 Apply': { 'f:spec': {} },
      'm2 Apply': { 'f:spec': { 'f:displayName': {}, 'f:user': {} } },
    })

    story.update('editor', { spec: { displayName: 'three', user: 'u' } })
    expect(story.owners).toEqual({
      'm1 Apply': { 'f:spec': {} },
      'm2 Apply': { 'f:spec': { 'f:user': {} } },
      'editor Update': { 'f:spec': { 'f:displayName': {} } },
    })

    const refusal = story.refusal(() => story.apply('m2', { spec: { displayName: 'two', user: 'u' } }))
    expect(refusal.message).toBe(
      'Apply failed with 1 conflict: conflict with "editor" using management.example.com/v1: .spec.displayName',
    )
  })

  it('a conflict at a scale names autoscaling/v1, and a forced entry has no time', () => {
    const story = new Story(accessKey).update('editor', { spec: { displayName: 'one' } })
    const take = (force: boolean) =>
      story.apply('m1', { spec: { displayName: 'two' } }, { subresource: 'scale', force })
    expect(story.refusal(() => take(false)).message).toBe(
      'Apply failed with 1 conflict: conflict with "editor" using autoscaling/v1: .spec.displayName',
    )
    expect(take(true).object?.metadata.managedFields?.find(({ manager }) => manager === 'm1')?.time).toBeUndefined()
  })

  it('status has separate owners', () => {
    const story = new Story(accessKey).apply('m1', { spec: { user: 'u' } })
    story.apply('ctl', { status: { lastActivity: '2024-01-01T00:00:00Z' } }, { subresource: 'status' })
    expect(story.owners).toEqual({
      'm1 Apply': { 'f:spec': { 'f:user': {} } },
      'ctl/status Apply': { 'f:status': { 'f:lastActivity': {} } },
    })
    const refusal = story.refusal(() =>
      story.apply('other', { status: { lastActivity: '2025-01-01T00:00:00Z' } }, { subresource: 'status' }),
    )
    expect(refusal.message).toContain('conflict with "ctl" with subresource "status": .status.lastActivity')
  })
})

describe('removal', () => {
  it('a key is removed with its only owner, and the map with its last key', () => {
    const story = new Story(configMap).apply('m1', { data: { a: '1', b: '1' } }).apply('m1', { data: { a: '1' } })
    expect(story.members).toEqual({ data: { a: '1' } })
    expect(story.apply('m1', {}).members).toEqual({})
    expect(story.owners).toEqual({})
  })

  it('fields of another manager stay', () => {
    const story = new Story(configMap).apply('m1', { data: { a: '1', b: '1' } }).apply('m2', { data: { b: '1' } })
    expect(story.apply('m1', { data: { a: '1' } }).members).toEqual({ data: { a: '1', b: '1' } })
    expect(story.owners).toEqual({ 'm1 Apply': { 'f:data': { 'f:a': {} } }, 'm2 Apply': { 'f:data': { 'f:b': {} } } })
  })

  it('fields set by an update stay', () => {
    const story = new Story(configMap).apply('m1', { data: { a: '1' } }).update('editor', { data: { a: '1', b: '2' } })
    expect(story.apply('m1', {}).members).toEqual({ data: { b: '2' } })
  })

  it('an empty object stays if another manager owns it', () => {
    const story = new Story(configMap).update('editor', { data: { a: '1' } })
    story.apply('m1', { data: { a: '2' } }, { force: true }).apply('m1', {})
    expect(story.members).toEqual({ data: {} })
    expect(story.owners).toEqual({ 'editor Update': { 'f:data': {} } })
  })

  it('an empty object stays if its manager applies it', () => {
    const story = new Story(garden).apply('m1', { anything: { a: 1 } }).apply('m1', { anything: {} })
    expect(story.members).toEqual({ anything: {} })
    expect(story.owners).toEqual({ 'm1 Apply': { 'f:anything': {} } })
  })

  it('a value without an owner is removed with its parent', () => {
    const story = new Story(service).apply('m1', { spec: { type: 'ClusterIP' } })
    story.object = { ...defined(story.object), spec: { type: 'ClusterIP', sessionAffinity: 'None' } }
    expect(story.apply('m1', {}).members).toEqual({})
  })

  it('a null replaces an object', () => {
    const story = new Story(garden).apply('m1', { anything: { a: { b: 1 } } }).apply('m1', { anything: { a: null } })
    expect(story.members).toEqual({ anything: { a: null } })
  })

  it('metadata and type stay if the manager owned only labels', () => {
    const story = new Story(configMap).apply('m1', { metadata: { labels: { a: '1' } } }).apply('m1', {})
    expect(story.object).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x', uid: 'u1', resourceVersion: '7' },
    })
  })

  it('an entry of a map of objects is removed with its last owner', () => {
    const story = new Story(garden)
      .apply('m1', { beds: { south: { plant: 'rose' }, north: { plant: 'fern' } } })
      .apply('m2', { beds: { south: { rows: 3 } } })
      .apply('m1', { beds: {} })
    expect(story.members).toEqual({ beds: { south: { rows: 3 } } })
  })
})

describe('items of a list', () => {
  const http = { port: 80, name: 'http' }
  const dns = { port: 53, protocol: 'UDP', name: 'dns' }
  const key = (port: number, protocol = 'TCP') => `k:{"port":${port},"protocol":"${protocol}"}`

  it('belong to different managers', () => {
    const story = new Story(service).apply('m1', { spec: { ports: [http] } }).apply('m2', { spec: { ports: [dns] } })
    expect(story.members).toEqual({ spec: { ports: [http, dns] } })
    expect(story.owners).toEqual({
      'm1 Apply': { 'f:spec': { 'f:ports': { [key(80)]: { '.': {}, 'f:name': {}, 'f:port': {} } } } },
      'm2 Apply': {
        'f:spec': { 'f:ports': { [key(53, 'UDP')]: { '.': {}, 'f:name': {}, 'f:port': {}, 'f:protocol': {} } } },
      },
    })
    expect(story.apply('m1', { spec: {} }).members).toEqual({ spec: { ports: [dns] } })
  })

  it('keep their defaults', () => {
    const story = new Story(service).apply('m1', { spec: { ports: [http] } })
    story.object = { ...defined(story.object), spec: { ports: [{ ...http, protocol: 'TCP', targetPort: 80 }] } }
    story.apply('m1', { spec: { ports: [{ port: 80 }] } })
    expect(story.members).toEqual({ spec: { ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] } })
    story.apply('m1', { spec: { ports: [dns] } })
    expect(story.members).toEqual({ spec: { ports: [dns] } })
  })

  it('are named in a conflict by their keys', () => {
    const story = new Story(service).apply('m1', { spec: { ports: [http] } })
    const refusal = story.refusal(() => story.apply('m2', { spec: { ports: [{ port: 80, name: 'web' }] } }))
    expect(refusal.message).toBe(
      'Apply failed with 1 conflict: conflict with "m1": .spec.ports[port=80,protocol="TCP"].name',
    )
  })

  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['new ones come after the live ones', ['a', 'b'], ['c'], ['a', 'b', 'c']],
    ['shared ones follow the configuration', ['a', 'b', 'c'], ['c', 'a'], ['b', 'c', 'a']],
    ['a new one stands before the shared one it precedes', ['x', 'a'], ['new', 'a'], ['x', 'new', 'a']],
    ['nothing moves without need', ['a', 'x', 'b'], ['a', 'b'], ['a', 'x', 'b']],
  ])('of a set: %s', (_, live, config, result) => {
    const story = new Story(garden).update('first', { colors: live }).apply('m1', { colors: config })
    expect(story.members).toEqual({ colors: result })
  })

  it('of a set belong to the managers that applied them', () => {
    const story = new Story(garden)
      .apply('m1', { colors: ['red', 'blue'] })
      .apply('m2', { colors: ['blue', 'green'] })
      .apply('m1', { colors: ['red'] })
    expect(story.members).toEqual({ colors: ['red', 'blue', 'green'] })
    expect(story.apply('m2', {}).members).toEqual({ colors: ['red'] })
  })
})

describe('an atomic value', () => {
  it('is replaced as a whole, and conflicts as a whole', () => {
    const story = new Story(service).apply('m1', { spec: { selector: { a: '1' }, externalIPs: ['1.1.1.1'] } })
    const refusal = story.refusal(() => story.apply('m2', { spec: { selector: { b: '2' } } }))
    expect(refusal.message).toBe('Apply failed with 1 conflict: conflict with "m1": .spec.selector')
    story.apply('m2', { spec: { selector: { b: '2' } } }, { force: true })
    expect(story.members).toEqual({ spec: { selector: { b: '2' }, externalIPs: ['1.1.1.1'] } })
  })
})

describe('times', () => {
  it('change when an apply changes the object, and only for its manager', () => {
    const story = new Story(configMap).apply('m1', { data: { a: '1' } }).apply('m2', { data: { b: '1' } })
    expect([story.timeOf('m1'), story.timeOf('m2')]).toEqual(['2026-11-15T00:00:01Z', '2026-11-15T00:00:02Z'])
    story.apply('m1', { data: { a: '2' } })
    expect([story.timeOf('m1'), story.timeOf('m2')]).toEqual(['2026-11-15T00:00:03Z', '2026-11-15T00:00:02Z'])
  })
})

describe('an object that existed before the first apply', () => {
  it('gets an owner for its existing fields', () => {
    const story = new Story(configMap)
    story.object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x', uid: 'u1', labels: { l: '1' } },
      data: { a: '1' },
    }
    const refusal = story.refusal(() => story.apply('m1', { data: { a: '2' } }))
    expect(refusal.message).toBe('Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a')
    expect(story.apply('m1', { data: { b: '1' } }).owners).toEqual({
      'm1 Apply': { 'f:data': { 'f:b': {} } },
      'before-first-apply Update': {
        'f:data': { '.': {}, 'f:a': {} },
        'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } },
      },
    })
  })
})

describe('kubectl moving from client-side to server-side apply', () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
  const lastApplied = JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { annotations: {}, name: 'x' },
    data: { a: '1', b: '1' },
  })
  const clientSide = () =>
    new Story(configMap).update('kubectl-client-side-apply', {
      metadata: { annotations: { [annotation]: lastApplied } },
      data: { a: '1', b: '1' },
    })

  it('takes over the fields that it set, and keeps the annotation up to date', () => {
    const story = clientSide().apply('kubectl', { data: { a: '2', b: '1' } })
    expect(story.members).toEqual({
      data: { a: '2', b: '1' },
      annotations: {
        [annotation]: '{"apiVersion":"v1","data":{"a":"2","b":"1"},"kind":"ConfigMap","metadata":{"name":"x"}}\n',
      },
    })
  })

  it('does not take over fields that another manager has changed since', () => {
    const story = clientSide()
    story.update('editor', { data: { a: 'changed', b: '1' } })
    const refusal = story.refusal(() => story.apply('kubectl', { data: { a: '2', b: '2' } }))
    expect(refusal.message).toBe('Apply failed with 1 conflict: conflict with "editor" using v1: .data.a')
  })

  it('concerns kubectl only', () => {
    const story = clientSide()
    const refusal = story.refusal(() => story.apply('other', { data: { a: '2', b: '1' } }))
    expect(refusal.message).toContain('"kubectl-client-side-apply" using v1: .data.a')
  })
})
