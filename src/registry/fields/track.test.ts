import { describe, expect, it } from 'vitest'
import { accessKey, configMap, garden, service } from '../../../tests/support/examples/kinds.ts'
import { deployment } from '../../api/apps/deployment.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../api/object.ts'
import { equalIgnoringManagedFieldsTimes } from './equal.ts'
import { trackUpdate } from './track.ts'

const start = Date.parse('2026-11-15T00:00:00Z')

function object(kind: Kind, members: Record<string, unknown>, metadata: KubeObject['metadata'] = {}): KubeObject {
  const apiVersion = kind.group === '' ? 'v1' : `${kind.group}/v1`
  return { apiVersion, kind: kind.kind, metadata: { name: 'x', ...metadata }, ...members }
}

interface Write {
  readonly by?: string
  readonly subresource?: string
  readonly seconds?: number
}

function write(kind: Kind, before: KubeObject | undefined, after: KubeObject, options: Write = {}): KubeObject {
  const { by = 'probe', subresource = '', seconds = 0 } = options
  return trackUpdate({ kind, before, after, manager: by, subresource, nowMs: start + seconds * 1000 })
}

function fieldsBy(written: KubeObject): Record<string, unknown> {
  return Object.fromEntries(
    (written.metadata.managedFields ?? []).map((entry) => [
      entry.subresource === undefined ? entry.manager : `${entry.manager}/${entry.subresource}`,
      entry.fieldsV1,
    ]),
  )
}

const stored = { uid: 'u1', resourceVersion: '5', creationTimestamp: '2026-11-15T00:00:00Z' }

describe('a create', () => {
  it.each<[string, Kind, KubeObject, unknown]>([
    [
      'a custom object owns its containers',
      accessKey,
      object(accessKey, { spec: { displayName: 'a', type: 'User' } }),
      { 'f:spec': { '.': {}, 'f:displayName': {}, 'f:type': {} } },
    ],
    ['an empty spec is a field', accessKey, object(accessKey, { spec: {} }), { 'f:spec': {} }],
    [
      'status is not recorded if it has its own endpoint',
      accessKey,
      object(accessKey, { spec: {}, status: { lastActivity: 'now' } }),
      { 'f:spec': {} },
    ],
    [
      'lists without annotations are one field',
      accessKey,
      object(accessKey, { spec: { groups: ['a', 'b'], scope: { roles: [{ role: 'r' }] } } }),
      { 'f:spec': { '.': {}, 'f:groups': {}, 'f:scope': { '.': {}, 'f:roles': {} } } },
    ],
    [
      'a map owns itself and its keys',
      configMap,
      object(configMap, { data: { b: '1', a: '2' } }),
      { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } },
    ],
    [
      'metadata that users set is recorded',
      configMap,
      object(
        configMap,
        {},
        {
          ...stored,
          generateName: 'x-',
          labels: { l: '1' },
          finalizers: ['e.f/g'],
          ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: '1' }],
        },
      ),
      {
        'f:metadata': {
          'f:finalizers': { '.': {}, 'v:"e.f/g"': {} },
          'f:generateName': {},
          'f:labels': { '.': {}, 'f:l': {} },
          'f:ownerReferences': { '.': {}, 'k:{"uid":"1"}': {} },
        },
      },
    ],
    [
      'a builtin object always had its spec',
      service,
      object(service, {
        spec: {
          selector: { a: 'b' },
          type: 'ClusterIP',
          externalIPs: ['1.2.3.4'],
          ports: [
            { name: 'https', port: 443, protocol: 'TCP' },
            { name: 'http', port: 80 },
          ],
        },
      }),
      {
        'f:spec': {
          'f:externalIPs': {},
          'f:ports': {
            '.': {},
            'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} },
            'k:{"port":443,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {}, 'f:protocol': {} },
          },
          'f:selector': {},
          'f:type': {},
        },
      },
    ],
    [
      'maps of objects, and fields without a schema',
      garden,
      object(garden, { beds: { south: { plant: 'rose' } }, anything: { a: { b: [1] } }, numbers: [10, 9] }),
      {
        'f:anything': { '.': {}, 'f:a': { '.': {}, 'f:b': {} } },
        'f:beds': { '.': {}, 'f:south': { '.': {}, 'f:plant': {} } },
        'f:numbers': { '.': {}, 'v:9': {}, 'v:10': {} },
      },
    ],
  ])('%s', (_, kind, sent, fields) => {
    const written = write(kind, undefined, sent)
    expect(JSON.stringify(fieldsBy(written))).toBe(JSON.stringify({ probe: fields }))
  })

  it('makes a complete entry', () => {
    expect(write(configMap, undefined, object(configMap, { data: { a: 'b' } })).metadata.managedFields).toEqual([
      {
        manager: 'probe',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2026-11-15T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } },
      },
    ])
  })

  it('with only a name has no managedFields', () => {
    expect(write(configMap, undefined, object(configMap, {})).metadata).toEqual({ name: 'x' })
    expect(write(service, undefined, object(service, { spec: {} })).metadata).toEqual({ name: 'x' })
  })

  it('without a manager name is by unknown', () => {
    const written = write(configMap, undefined, object(configMap, { data: { a: 'b' } }), { by: '' })
    expect(written.metadata.managedFields?.[0]?.manager).toBe('unknown')
  })
})

describe('an update', () => {
  const made = write(configMap, undefined, object(configMap, { data: { a: '1', b: '1' } }, stored))

  function update(data: Record<string, string> | undefined, options: Write = {}, before = made): KubeObject {
    return write(configMap, before, object(configMap, data === undefined ? {} : { data }, stored), {
      seconds: 60,
      ...options,
    })
  }

  it('assigns changed fields to the writer only', () => {
    expect(fieldsBy(update({ a: '2', b: '1', c: '1' }, { by: 'editor' }))).toEqual({
      probe: { 'f:data': { '.': {}, 'f:b': {} } },
      editor: { 'f:data': { 'f:a': {}, 'f:c': {} } },
    })
  })

  it('removes deleted fields from all managers', () => {
    expect(fieldsBy(update({ a: '1' }, { by: 'editor' }))).toEqual({ probe: { 'f:data': { '.': {}, 'f:a': {} } } })
    expect(update(undefined, { by: 'editor' }).metadata.managedFields).toBeUndefined()
  })

  it('without a change leaves everything as it was', () => {
    const again = update({ a: '1', b: '1' }, { by: 'editor' })
    expect(again.metadata.managedFields).toEqual(made.metadata.managedFields)
    expect(equalIgnoringManagedFieldsTimes(again, made)).toBe(true)
  })

  it('updates the time of an entry only when its manager changes a field', () => {
    expect(update({ a: '2', b: '1' }).metadata.managedFields?.[0]?.time).toBe('2026-11-15T00:01:00Z')
    expect(update({ a: '1' }).metadata.managedFields?.[0]?.time).toBe('2026-11-15T00:00:00Z')
  })

  it('sorts entries by operation, time and name', () => {
    const second = update({ a: '2', b: '1' }, { by: 'zoe', seconds: 1 })
    const third = update({ a: '2', b: '1', c: '1' }, { by: 'amy', seconds: 1 }, second)
    expect(third.metadata.managedFields?.map((entry) => entry.manager)).toEqual(['probe', 'amy', 'zoe'])
  })

  it('separates items of lists by key and by value', () => {
    const before = write(service, undefined, object(service, { spec: { ports: [{ port: 80, name: 'a' }] } }, stored))
    const after = object(
      service,
      {
        spec: {
          ports: [
            { port: 80, name: 'b' },
            { port: 81, protocol: 'UDP' },
          ],
        },
      },
      stored,
    )
    expect(fieldsBy(write(service, before, after, { by: 'editor' }))).toEqual({
      probe: { 'f:spec': { 'f:ports': { '.': {}, 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } } },
      editor: {
        'f:spec': {
          'f:ports': {
            'k:{"port":80,"protocol":"TCP"}': { 'f:name': {} },
            'k:{"port":81,"protocol":"UDP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} },
          },
        },
      },
    })
    const colors = write(garden, undefined, object(garden, { colors: ['red', 'blue'] }, stored))
    const repainted = write(garden, colors, object(garden, { colors: ['green', 'red'] }, stored), { by: 'editor' })
    expect(fieldsBy(repainted)).toEqual({
      probe: { 'f:colors': { '.': {}, 'v:"red"': {} } },
      editor: { 'f:colors': { 'v:"green"': {} } },
    })
  })

  it('merges the oldest of more than ten writers', () => {
    let current = made
    for (let writer = 1; writer <= 12; writer += 1) {
      const data = { ...(current.data as Record<string, string>), [`key${writer}`]: 'x' }
      current = update(data, { by: `writer${writer}`, seconds: writer }, current)
    }
    const entries = current.metadata.managedFields ?? []
    expect(entries).toHaveLength(10)
    expect(entries[0]).toMatchObject({
      manager: 'ancient-changes',
      time: '2026-11-15T00:00:03Z',
      fieldsV1: { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {}, 'f:key1': {}, 'f:key2': {}, 'f:key3': {} } },
    })
    expect(entries.at(-1)?.manager).toBe('writer12')
  })
})

describe('managedFields sent by a client', () => {
  const made = write(configMap, undefined, object(configMap, { data: { a: '1' } }, stored))
  const own: ManagedFieldsEntry = {
    manager: 'me',
    operation: 'Apply',
    apiVersion: 'v1',
    time: '2020-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:a': {} } },
  }

  function send(managedFields: readonly unknown[], by = 'probe', subresource = ''): KubeObject {
    const sent = object(configMap, { data: { a: '1' } }, { ...stored, managedFields: managedFields as never })
    return write(configMap, made, sent, { by, subresource })
  }

  it('replace those that are stored', () => {
    expect(send([own]).metadata.managedFields).toEqual([own])
  })

  it.each([[[]], [[{}]]])('%j resets them', (sent) => {
    const reset = send(sent)
    expect(reset.metadata).not.toHaveProperty('managedFields')
    const later = write(configMap, reset, object(configMap, { data: { a: '2' } }, stored))
    expect(later.metadata).not.toHaveProperty('managedFields')
  })

  it.each([
    ['an unknown operation', { ...own, operation: 'Steal' }],
    ['no version', { ...own, apiVersion: '' }],
    ['another type of fields', { ...own, fieldsType: 'FieldsV2' }],
    ['invalid fields', { ...own, fieldsV1: { spec: {} } }],
    ['no object', 5],
  ])('are ignored when an entry has %s', (_, entry) => {
    expect(send([own, entry]).metadata.managedFields).toEqual(made.metadata.managedFields)
  })

  it('are ignored on a subresource', () => {
    expect(send([own], 'probe', 'status').metadata.managedFields).toEqual(made.metadata.managedFields)
  })

  it('lose owners in versions of another group', () => {
    const foreign = { ...own, manager: 'old', apiVersion: 'elsewhere.example.com/v1' }
    expect(send([own, foreign]).metadata.managedFields).toEqual([own])
  })
})

describe('the recorded answers', () => {
  const created = write(accessKey, undefined, object(accessKey, { spec: { displayName: 'a', type: 'User' } }, stored))
  const labeled = write(
    accessKey,
    created,
    object(accessKey, { spec: { displayName: 'b', type: 'User' } }, { ...stored, labels: { l: '1' } }),
  )

  it('of an update with labels', () => {
    expect(fieldsBy(labeled)).toEqual({
      probe: {
        'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } },
        'f:spec': { '.': {}, 'f:displayName': {}, 'f:type': {} },
      },
    })
  })

  it('of a status update that also sends labels and a spec', () => {
    const sent = object(
      accessKey,
      { spec: { displayName: 'IGN' }, status: { lastActivity: '2020-01-01T00:00:00Z' } },
      { ...stored, labels: { ignored: '1' } },
    )
    expect(fieldsBy(write(accessKey, labeled, sent, { subresource: 'status' }))).toEqual({
      probe: { 'f:metadata': { 'f:labels': {} }, 'f:spec': { '.': {}, 'f:displayName': {}, 'f:type': {} } },
      'probe/status': {
        'f:metadata': { 'f:labels': { 'f:ignored': {} } },
        'f:status': { '.': {}, 'f:lastActivity': {} },
      },
    })
  })

  it('of finalizers that go one by one', () => {
    const two = write(
      accessKey,
      undefined,
      object(accessKey, { spec: {} }, { ...stored, finalizers: ['e.c/a', 'e.c/b'] }),
    )
    const specified = write(
      accessKey,
      two,
      object(accessKey, { spec: { user: 'x' } }, { ...stored, finalizers: ['e.c/a', 'e.c/b'] }),
    )
    const one = write(
      accessKey,
      specified,
      object(accessKey, { spec: { user: 'x' } }, { ...stored, finalizers: ['e.c/b'] }),
    )
    const none = write(accessKey, one, object(accessKey, { spec: { user: 'x' } }, stored))
    expect([specified, one, none].map((each) => fieldsBy(each).probe)).toEqual([
      {
        'f:metadata': { 'f:finalizers': { '.': {}, 'v:"e.c/a"': {}, 'v:"e.c/b"': {} } },
        'f:spec': { '.': {}, 'f:user': {} },
      },
      { 'f:metadata': { 'f:finalizers': { '.': {}, 'v:"e.c/b"': {} } }, 'f:spec': { '.': {}, 'f:user': {} } },
      { 'f:spec': { '.': {}, 'f:user': {} } },
    ])
  })

  it.each<[string, object, readonly string[]]>([
    ['a scale whose field has an owner', { paused: true, replicas: 1 }, ['scaler/scale', 'probe']],
    ['a scale without an owned field is not recorded', { paused: true }, ['probe']],
  ])('%s', (_, spec, expected) => {
    const kind = deployment as unknown as Kind
    const known = write(kind, undefined, object(kind, { spec }, stored))
    const before = { ...known, spec: { ...spec, replicas: 1 } }
    const after = { ...before, spec: { ...spec, replicas: 7 } }
    const scaled = write(kind, before, after, { by: 'scaler', subresource: 'scale' })
    expect(Object.keys(fieldsBy(scaled))).toEqual(expected)
    const byScale = scaled.metadata.managedFields?.filter(({ subresource }) => subresource === 'scale') ?? []
    expect(byScale.map(({ time }) => time)).toEqual(byScale.map(() => undefined))
  })
})
