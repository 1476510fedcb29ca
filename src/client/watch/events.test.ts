import { describe, expect, it } from 'vitest'
import type { ResourceType } from '../contract.ts'
import { readEvent } from './events.ts'
import type { Line } from './lines.ts'

const configMaps: ResourceType = {
  group: '',
  version: 'v1',
  resource: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  hasStatus: false,
}
const object = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'a', namespace: 'default', uid: 'u', resourceVersion: '7', labels: { x: 'y' } },
  data: { resourceVersion: '9' },
}
const embedded = { ...object, metadata: { resourceVersion: '7', name: 'a', namespace: 'default', uid: 'u' } }

function line(type: string, told: object = object): Line {
  return whole(JSON.stringify({ type, object: told }))
}

function whole(text: string): Line {
  return { bytes: Buffer.from(text), isWhole: true }
}

describe('an event of a watch', () => {
  it.each([object, embedded])('is parsed completely unless its state is known', (told) => {
    expect(readEvent(line('ADDED', told), configMaps, () => false)).toEqual({
      type: 'set',
      object: told,
      resourceVersion: '7',
      bytes: line('ADDED', told).bytes.length,
    })
    const known = readEvent(line('MODIFIED', told), configMaps, (version) => version === '7')
    expect(known).toEqual({ type: 'progress', resourceVersion: '7' })
  })

  it.each([
    ['reports a deleted object', line('DELETED')],
    [
      'has the version of something else before its own',
      line('ADDED', { data: { resourceVersion: '9' }, metadata: object.metadata }),
    ],
    ['has a name with something odd in it', line('ADDED', { ...object, metadata: { ...object.metadata, name: '"' } })],
    ['is written in another way', whole(line('ADDED').bytes.toString().replace('"type":', '"type": '))],
  ])('that %s is parsed completely, whatever is known', (_, told) => {
    expect(readEvent(told, configMaps, () => true)).toMatchObject({ resourceVersion: '7', object: expect.anything() })
  })
})

describe('an event with an object that cannot be read', () => {
  const deep = `{"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  const { metadata } = object
  const spoiled = (type: string) =>
    `{"type":"${type}","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":${JSON.stringify(metadata)},"spec":${deep}}}`
  const seen = { namespace: 'default', name: 'a', uid: 'u' }

  it('names the object, and continues from its version', () => {
    expect(readEvent(whole(spoiled('MODIFIED')), configMaps, () => false)).toEqual({
      type: 'unreadable',
      unreadable: { ...seen, problem: 'is nested more than 1000 levels deep' },
      resourceVersion: '7',
    })
  })

  it('still reports that the object was deleted', () => {
    const event = readEvent(whole(spoiled('DELETED')), configMaps, () => false)
    expect(event).toMatchObject({ type: 'gone', object: { metadata: seen }, resourceVersion: '7' })
  })

  it('reports it from the beginning of a line that is too long', () => {
    const bytes = Buffer.from(spoiled('ADDED').slice(0, 300))
    const event = readEvent({ bytes, isWhole: false }, configMaps, () => false)
    expect(event).toMatchObject({ type: 'unreadable', unreadable: { ...seen, problem: /larger than/ } })
  })

  it('reports nothing that cannot be a name', () => {
    const told = { ...object, metadata: { ...metadata, name: '\u001b[2J', namespace: '../..', resourceVersion: 7 } }
    const bytes = Buffer.from(`{"type":"ADDED","object":${JSON.stringify(told)}}`)
    expect(readEvent({ bytes, isWhole: false }, configMaps, () => false)).toMatchObject({
      unreadable: { namespace: '', name: '', uid: 'u' },
      resourceVersion: '',
    })
  })
})

it.each(['7'.repeat(257), ['7'], { x: 1 }])('an impossible version is refused', (resourceVersion) => {
  const told = line('ADDED', { ...object, metadata: { ...object.metadata, resourceVersion } })
  expect(() => readEvent(told, configMaps, () => false)).toThrow('resourceVersion is not valid')
})
