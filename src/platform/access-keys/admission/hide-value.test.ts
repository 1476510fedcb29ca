import { describe, expect, it } from 'vitest'
import type { KubeObject, ManagedFieldsEntry } from '../../../api/object.ts'
import { withoutValue } from './hide-value.ts'

const annotation = 'kubectl.kubernetes.io/last-applied-configuration'

function key(metadata: KubeObject['metadata'], spec: object = {}): KubeObject {
  return { apiVersion: 'management.example.com/v1', kind: 'OwnedAccessKey', metadata, spec }
}

function managed(fieldsV1: ManagedFieldsEntry['fieldsV1']): ManagedFieldsEntry {
  return { manager: 'm', operation: 'Update', ...(fieldsV1 === undefined ? {} : { fieldsV1 }) }
}

describe('an object without the value', () => {
  it.each([
    ['the field', key({}, { key: 'secret', user: 'u' }), key({}, { user: 'u' })],
    [
      "kubectl's copy",
      key({ annotations: { [annotation]: '{"spec":{"key":"secret","user":"u"}}\n', other: 'kept' } }),
      key({ annotations: { [annotation]: '{"spec":{"user":"u"}}\n', other: 'kept' } }),
    ],
    ['a copy that cannot be parsed', key({ annotations: { [annotation]: '{"spec":' } }), key({ annotations: {} })],
    [
      'copies in other annotations',
      key({ annotations: { tool: 'a secret b secret' } }),
      key({ annotations: { tool: 'a [hidden] b [hidden]' } }),
    ],
    [
      'its ownership, with entries that were about nothing else',
      key({
        managedFields: [
          managed({ 'f:spec': { 'f:key': {}, 'f:user': {} } }),
          managed({ 'f:spec': { '.': {}, 'f:key': {} } }),
        ],
      }),
      key({ managedFields: [managed({ 'f:spec': { 'f:user': {} } })] }),
    ],
  ])('lacks %s', (_, before, after) => {
    expect(withoutValue(before, 'secret')).toEqual(after)
  })

  it('is unchanged if there was none', () => {
    const untouched = key({ annotations: { [annotation]: '{"spec":{"user":"u"}}' }, managedFields: [managed({})] })
    expect(withoutValue(untouched, '')).toEqual(untouched)
  })
})
