import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import { applyConfiguration } from './apply.ts'
import { equalIgnoringManagedFieldsTimes } from './equal.ts'
import { accessKey, configMap, garden, service } from './example-kinds.ts'
import { trackUpdate } from './track.ts'

const start = Date.parse('2026-11-15T00:00:00Z')

/** One object and the requests it has seen. */
class Story {
  readonly #kind: Kind
  object: KubeObject | undefined
  #seconds = 0

  constructor(kind: Kind) {
    this.#kind = kind
  }

  apply(
    manager: string,
    members: Record<string, unknown>,
    options: { force?: boolean; subresource?: string } = {},
  ): this {
    const { force = false, subresource = '' } = options
    const config = this.#with(members)
    this.object = identified(
      applyConfiguration({
        kind: this.#kind,
        live: this.object,
        config,
        manager,
        force,
        subresource,
        nowMs: this.#now(),
      }),
    )
    return this
  }

  update(manager: string, members: Record<string, unknown>, subresource = ''): this {
    const { managedFields: _, ...metadata } = this.object?.metadata ?? {}
    const { metadata: sent, ...rest } = members
    const after = { ...this.#with(rest), metadata: { ...metadata, name: 'x', ...Object(sent) } }
    this.object = identified(
      trackUpdate({ kind: this.#kind, before: this.object, after, manager, subresource, nowMs: this.#now() }),
    )
    return this
  }

  /** The object without what every object has. */
  get members(): Record<string, unknown> {
    const { apiVersion: _, kind: __, metadata, ...members } = this.object ?? this.#with({})
    const { labels, annotations } = metadata
    return { ...members, ...(labels && { labels }), ...(annotations && { annotations }) }
  }

  get owners(): Record<string, unknown> {
    return Object.fromEntries(
      (this.object?.metadata.managedFields ?? []).map((entry) => [
        `${entry.manager}${entry.subresource === undefined ? '' : `/${entry.subresource}`} ${entry.operation}`,
        entry.fieldsV1,
      ]),
    )
  }

  timeOf(manager: string): string | undefined {
    return this.object?.metadata.managedFields?.find((entry) => entry.manager === manager)?.time
  }

  refusal(action: () => unknown): ApiError {
    const before = this.object
    try {
      action()
    } catch (error) {
      expect(this.object).toBe(before)
      if (error instanceof ApiError) return error
      throw error
    }
    throw new Error('nothing was refused')
  }

  #with(members: Record<string, unknown>): KubeObject {
    const { metadata, ...rest } = members
    const apiVersion = this.#kind.group === '' ? 'v1' : `${this.#kind.group}/v1`
    return { apiVersion, kind: this.#kind.kind, metadata: { name: 'x', ...Object(metadata) }, ...rest }
  }

  #now(): number {
    this.#seconds += 1
    return start + this.#seconds * 1000
  }
}

/** The server gives every object an identity; a create is told from an update by it. */
function identified(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, uid: 'u1', resourceVersion: '7' } }
}

function defined(object: KubeObject | undefined): KubeObject {
  if (object === undefined) throw new Error('the story has no object yet')
  return object
}

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

  it('equal values are owned together, force takes them, and dropping removes what nobody else owns', () => {
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

  it('status has owners of its own', () => {
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

describe('what is removed', () => {
  it('a key that only its applier owned goes, and the map with its last key', () => {
    const story = new Story(configMap).apply('m1', { data: { a: '1', b: '1' } }).apply('m1', { data: { a: '1' } })
    expect(story.members).toEqual({ data: { a: '1' } })
    expect(story.apply('m1', {}).members).toEqual({})
    expect(story.owners).toEqual({})
  })

  it('what somebody else owns stays', () => {
    const story = new Story(configMap).apply('m1', { data: { a: '1', b: '1' } }).apply('m2', { data: { b: '1' } })
    expect(story.apply('m1', { data: { a: '1' } }).members).toEqual({ data: { a: '1', b: '1' } })
    expect(story.owners).toEqual({ 'm1 Apply': { 'f:data': { 'f:a': {} } }, 'm2 Apply': { 'f:data': { 'f:b': {} } } })
  })

  it('what an update set stays', () => {
    const story = new Story(configMap).apply('m1', { data: { a: '1' } }).update('editor', { data: { a: '1', b: '2' } })
    expect(story.apply('m1', {}).members).toEqual({ data: { b: '2' } })
  })

  it('an object that somebody else owns stays when it has become empty', () => {
    const story = new Story(configMap).update('editor', { data: { a: '1' } })
    story.apply('m1', { data: { a: '2' } }, { force: true }).apply('m1', {})
    expect(story.members).toEqual({ data: {} })
    expect(story.owners).toEqual({ 'editor Update': { 'f:data': {} } })
  })

  it('an object that its applier asks for stays when it has become empty', () => {
    const story = new Story(garden).apply('m1', { anything: { a: 1 } }).apply('m1', { anything: {} })
    expect(story.members).toEqual({ anything: {} })
    expect(story.owners).toEqual({ 'm1 Apply': { 'f:anything': {} } })
  })

  it('what nobody owned goes with the object it stands in', () => {
    const story = new Story(service).apply('m1', { spec: { type: 'ClusterIP' } })
    story.object = { ...defined(story.object), spec: { type: 'ClusterIP', sessionAffinity: 'None' } }
    expect(story.apply('m1', {}).members).toEqual({})
  })

  it('a null in the place of an object is there after the first apply', () => {
    const story = new Story(garden).apply('m1', { anything: { a: { b: 1 } } }).apply('m1', { anything: { a: null } })
    expect(story.members).toEqual({ anything: { a: null } })
  })

  it('metadata and type stay when the applier owned nothing but labels', () => {
    const story = new Story(configMap).apply('m1', { metadata: { labels: { a: '1' } } }).apply('m1', {})
    expect(story.object).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x', uid: 'u1', resourceVersion: '7' },
    })
  })

  it('an object in a map of objects goes when nobody owns anything in it', () => {
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

  it('keep what defaulting added to them', () => {
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
    const story = new Story(garden).update('first', { colours: live }).apply('m1', { colours: config })
    expect(story.members).toEqual({ colours: result })
  })

  it('of a set belong to whoever applied them', () => {
    const story = new Story(garden)
      .apply('m1', { colours: ['red', 'blue'] })
      .apply('m2', { colours: ['blue', 'green'] })
      .apply('m1', { colours: ['red'] })
    expect(story.members).toEqual({ colours: ['red', 'blue', 'green'] })
    expect(story.apply('m2', {}).members).toEqual({ colours: ['red'] })
  })
})

describe('what is owned as a whole', () => {
  it('is replaced as a whole, and fought over as a whole', () => {
    const story = new Story(service).apply('m1', { spec: { selector: { a: '1' }, externalIPs: ['1.1.1.1'] } })
    const refusal = story.refusal(() => story.apply('m2', { spec: { selector: { b: '2' } } }))
    expect(refusal.message).toBe('Apply failed with 1 conflict: conflict with "m1": .spec.selector')
    story.apply('m2', { spec: { selector: { b: '2' } } }, { force: true })
    expect(story.members).toEqual({ spec: { selector: { b: '2' }, externalIPs: ['1.1.1.1'] } })
  })
})

describe('times', () => {
  it('move when an apply changes the object, and only for the applier', () => {
    const story = new Story(configMap).apply('m1', { data: { a: '1' } }).apply('m2', { data: { b: '1' } })
    expect([story.timeOf('m1'), story.timeOf('m2')]).toEqual(['2026-11-15T00:00:01Z', '2026-11-15T00:00:02Z'])
    story.apply('m1', { data: { a: '2' } })
    expect([story.timeOf('m1'), story.timeOf('m2')]).toEqual(['2026-11-15T00:00:03Z', '2026-11-15T00:00:02Z'])
  })
})

describe('an object that was there before the first apply', () => {
  it('gets an owner for what it had', () => {
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

  it('takes what it set, and keeps the annotation up to date', () => {
    const story = clientSide().apply('kubectl', { data: { a: '2', b: '1' } })
    expect(story.members).toEqual({
      data: { a: '2', b: '1' },
      annotations: {
        [annotation]: '{"apiVersion":"v1","data":{"a":"2","b":"1"},"kind":"ConfigMap","metadata":{"name":"x"}}\n',
      },
    })
  })

  it('does not take what somebody changed since', () => {
    const story = clientSide()
    story.update('editor', { data: { a: 'changed', b: '1' } })
    const refusal = story.refusal(() => story.apply('kubectl', { data: { a: '2', b: '2' } }))
    expect(refusal.message).toBe('Apply failed with 1 conflict: conflict with "editor" using v1: .data.a')
  })

  it('is for kubectl alone', () => {
    const story = clientSide()
    const refusal = story.refusal(() => story.apply('other', { data: { a: '2', b: '1' } }))
    expect(refusal.message).toContain('"kubectl-client-side-apply" using v1: .data.a')
  })
})

describe('a configuration that cannot be applied', () => {
  it.each<[string, Kind, Record<string, unknown>, string]>([
    [
      'an unknown field',
      accessKey,
      { spec: { bogus: 1 } },
      'failed to create typed patch object (/x; management.example.com/v1, Kind=OwnedAccessKey): .spec.bogus: field not declared in schema',
    ],
    [
      'a repeated key',
      service,
      { spec: { ports: [{ port: 80 }, { port: 80, protocol: 'TCP' }] } },
      'failed to create typed patch object (/x; /v1, Kind=Service): .spec.ports: duplicate entries for key [port=80,protocol="TCP"]',
    ],
    [
      'a repeated item of a set',
      garden,
      { colours: ['a', 'a'] },
      'failed to create typed patch object (/x; example.com/v1, Kind=Garden): .colours: duplicate entries for key [="a"]',
    ],
    [
      'a text for a number',
      accessKey,
      { spec: { ttl: 'x' } },
      'failed to create typed patch object (/x; management.example.com/v1, Kind=OwnedAccessKey): .spec.ttl: expected numeric (int or float), got string',
    ],
    [
      'several problems',
      accessKey,
      { spec: { ttl: 'x', user: 5 } },
      'failed to create typed patch object (/x; management.example.com/v1, Kind=OwnedAccessKey): errors:\n  .spec.ttl: expected numeric (int or float), got string\n  .spec.user: expected string, got &value.valueUnstructured{Value:5}',
    ],
    ['managedFields', accessKey, { metadata: { managedFields: [] } }, 'metadata.managedFields must be nil'],
    [
      'another version',
      accessKey,
      { apiVersion: 'management.example.com/v2' },
      'invalid object type: management.example.com/v2, Kind=OwnedAccessKey',
    ],
    ['no type', accessKey, { apiVersion: undefined, kind: undefined }, 'invalid object type: /, Kind='],
  ])('%s is a 400', (_, kind, members, message) => {
    const story = new Story(kind)
    const refusal = story.refusal(() => story.apply('m1', members))
    expect([refusal.code, refusal.message]).toEqual([400, message])
  })
})

describe('a configuration that says little', () => {
  it.each([[null], [undefined]])('may have %j for metadata', (metadata) => {
    const base = { kind: configMap, manager: 'm1', force: false, subresource: '', nowMs: start }
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata as never, data: { a: '1' } }
    const created = applyConfiguration({ ...base, live: undefined, config })
    expect(created.data).toEqual({ a: '1' })
    const live = identified({ ...created, metadata: { ...created.metadata, name: 'x' } })
    expect(applyConfiguration({ ...base, live, config }).metadata.name).toBe('x')
  })
})

describe('values as deep as a body may be', () => {
  it('are compared, merged and pruned', () => {
    const deep = (leaf: unknown) => {
      let value = leaf
      for (let depth = 0; depth < 990; depth += 1) value = { a: value }
      return { anything: value as Record<string, unknown> }
    }
    const story = new Story(garden).update('editor', deep(1)).apply('m1', deep(2), { force: true }).apply('m1', {})
    expect(Object.keys(story.owners)).toEqual(['editor Update'])
  })
})

describe('whatever is applied', () => {
  /** As in kube-apiserver, an empty list with items of its own belongs to nobody. */
  const colours = fc.uniqueArray(fc.constantFrom('red', 'green', 'blue'), { minLength: 1 })
  const beds = fc.dictionary(
    fc.constantFrom('south', 'north', '__proto__'),
    fc.record({ plant: fc.constantFrom('rose', 'fern'), rows: fc.integer({ min: 0, max: 2 }) }, { requiredKeys: [] }),
    { noNullPrototype: true },
  )
  const anything = fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), fc.jsonValue({ maxDepth: 2 }), {
    noNullPrototype: true,
  })
  const config = fc.record({ colours, beds, anything }, { requiredKeys: [] })
  const step = fc.record({ manager: fc.constantFrom('m1', 'm2', 'm3'), config })

  it('applying it again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
        const story = new Story(garden)
        for (const { manager, config: applied } of steps) story.apply(manager, applied, { force: true })
        const before = story.object
        const last = steps.at(-1)
        story.apply(last?.manager ?? '', last?.config ?? {})
        expect(equalIgnoringManagedFieldsTimes(defined(story.object), defined(before))).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('the object has what was applied last, and nothing is left when everybody has let go', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
        const story = new Story(garden)
        for (const { manager, config: applied } of steps) story.apply(manager, applied, { force: true })
        expect(story.members.colours ?? []).toEqual(expect.arrayContaining(steps.at(-1)?.config.colours ?? []))
        for (const manager of ['m1', 'm2', 'm3']) story.apply(manager, {})
        expect(story.owners).toEqual({})
      }),
      { numRuns: 50 },
    )
  })
})
