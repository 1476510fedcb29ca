import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../tests/support/strategy-steps.ts'
import { storageClass } from './storage-class.ts'

const metadata = { name: 's' }
const plain = { metadata, provisioner: 'example.com/p' }
const zone = (...values: readonly string[]) => ({ key: 'zone', values })
const term = (...matchLabelExpressions: readonly object[]) => ({ matchLabelExpressions })
const list = 'allowedTopologies[0].matchLabelExpressions'

describe('StorageClass', () => {
  it.each([
    ['a term', [term(zone('a', 'b'))], []],
    ['two terms', [term(zone('a')), term(zone('b'))], []],
    ['no values', [term(zone())], [`${list}[0].values: Required value`]],
    ['a value twice', [term(zone('a', 'a'))], [`${list}[0].values[1]: Duplicate value: "a"`]],
    ['a key twice', [term(zone('a'), zone('b'))], [`${list}[1].key: Duplicate value: "zone"`]],
    [
      'terms that say the same',
      [term(zone('a', 'b')), term(zone('b', 'a'))],
      ['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
    ],
    ['an empty term', [term()], [`${list}: Duplicate value: ""`]],
    [
      'an invalid key',
      [term({ key: 'a b', values: ['x'] })],
      [expect.stringContaining(`${list}[0].key: Invalid value: "a b": name part must consist of`)],
    ],
  ])('validates topologies with %s', (_, allowedTopologies, errors) => {
    expect(errorTexts(previewCreate(storageClass, { ...plain, allowedTopologies }))).toEqual(errors)
  })

  it('cannot change its volume binding mode', () => {
    const { object: old } = previewCreate(storageClass, plain)
    const later = { ...plain, volumeBindingMode: 'WaitForFirstConsumer' }
    expect(errorTexts(previewUpdate(storageClass, later, old))).toEqual([
      'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
    ])
    expect(errorTexts(previewCreate(storageClass, { ...plain, volumeBindingMode: 'Later' }))).toEqual([
      'volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"',
    ])
  })
})
