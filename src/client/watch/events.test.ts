import { describe, expect, it } from 'vitest'
import type { ResourceType } from '../contract.ts'
import { readEvent } from './events.ts'

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

function line(type: string, told: object = object): string {
  return JSON.stringify({ type, object: told })
}

describe('an event of a watch', () => {
  it.each([object, embedded])('is read whole unless its state is known', (told) => {
    expect(readEvent(line('ADDED', told), configMaps, () => false)).toEqual({
      type: 'set',
      object: told,
      resourceVersion: '7',
    })
    const known = readEvent(line('MODIFIED', told), configMaps, (version) => version === '7')
    expect(known).toEqual({ type: 'progress', resourceVersion: '7' })
  })

  it.each([
    ['says that an object is gone', line('DELETED')],
    [
      'has the version of something else before its own',
      line('ADDED', { data: { resourceVersion: '9' }, metadata: object.metadata }),
    ],
    ['has a name with something odd in it', line('ADDED', { ...object, metadata: { ...object.metadata, name: '"' } })],
    ['is written in another way', line('ADDED').replace('"type":', '"type": ')],
  ])('that %s is read whole, whatever is known', (_, text) => {
    expect(readEvent(text, configMaps, () => true)).toMatchObject({ resourceVersion: '7', object: expect.anything() })
  })
})
