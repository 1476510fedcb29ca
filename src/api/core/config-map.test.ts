import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../tests/support/strategy-steps.ts'
import { configMap } from './config-map.ts'

const metadata = { name: 'c', namespace: 'default' }
const badKey =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

describe('ConfigMap', () => {
  it.each([
    ['plain entries', { data: { a: 'b' }, binaryData: { c: 'ZA==' } }, []],
    ['a bad key', { data: { 'a b': '' } }, [`data[a b]: Invalid value: "a b": ${badKey}`]],
    ['dots that lead out of a directory', { data: { '..': '' } }, [`data[..]: Invalid value: "..": must not be '..'`]],
    [
      'one key in both maps',
      { data: { a: '' }, binaryData: { a: '' } },
      ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
    ],
    [
      'more than a mebibyte',
      { data: { a: 'x'.repeat(1024 * 1024), b: 'y' } },
      ['[]: Too long: may not be more than 1048576 bytes'],
    ],
    ['exactly a mebibyte in two maps', { data: { a: 'x'.repeat(1024 * 1024 - 3) }, binaryData: { b: 'eHh4' } }, []],
    ['prototype names as keys', JSON.parse('{"data":{"__proto__":"a","constructor":"b"}}'), []],
  ])('validates %s', (_, body, errors) => {
    expect(errorTexts(previewCreate(configMap, { metadata, ...body }))).toEqual(errors)
  })

  it('keeps prototype names as data', () => {
    const { object } = previewCreate(configMap, {
      metadata,
      ...JSON.parse('{"data":{"__proto__":"a"},"binaryData":{}}'),
    })
    expect(JSON.stringify(object.data)).toBe('{"__proto__":"a"}')
    expect(object).not.toHaveProperty('binaryData')
  })

  it('refuses changes to the data of an immutable one', () => {
    const { object: old } = previewCreate(configMap, { metadata, data: { a: 'b' }, immutable: true })
    expect(errorTexts(previewUpdate(configMap, { metadata, data: { a: 'c' }, binaryData: { d: '' } }, old))).toEqual([
      'immutable: Forbidden: field is immutable when `immutable` is set',
      'data: Forbidden: field is immutable when `immutable` is set',
      'binaryData: Forbidden: field is immutable when `immutable` is set',
    ])
    expect(errorTexts(previewUpdate(configMap, { metadata, data: { a: 'b' }, immutable: true }, old))).toEqual([])
  })

  it('prints the number of its entries', () => {
    const { object } = previewCreate(configMap, { metadata, data: { a: '', b: '' }, binaryData: { c: '' } })
    expect(configMap.columns?.map((each) => [each.name, each.value(object, 0)])).toEqual([
      ['Name', 'c'],
      ['Data', 3],
      ['Age', '<unknown>'],
    ])
  })
})
