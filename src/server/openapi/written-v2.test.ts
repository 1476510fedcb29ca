import { expect, it } from 'vitest'
import { writtenForV2 } from './written-v2.ts'

it.each<readonly [string, object, object]>([
  [
    'formats, required members and defaults stay',
    {
      type: 'object',
      description: 'd',
      required: ['a'],
      properties: { a: { type: 'string', format: 'date-time', default: 'x' } },
    },
    {
      type: 'object',
      description: 'd',
      required: ['a'],
      properties: { a: { type: 'string', format: 'date-time', default: 'x' } },
    },
  ],
  [
    'alternatives are reduced to their common part',
    { type: 'string', anyOf: [{ maxLength: 1 }], not: {} },
    { type: 'string' },
  ],
  [
    'a nullable field is written without its type, and is optional',
    {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string', nullable: true }, b: { type: 'string' } },
    },
    { type: 'object', required: ['b'], properties: { a: {}, b: { type: 'string' } } },
  ],
  [
    'an object that preserves unknown fields lists none',
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
    { 'x-kubernetes-preserve-unknown-fields': true },
  ],
  ['a list of anything has no type', { type: 'array' }, {}],
  [
    'lists and maps are looked into',
    {
      type: 'array',
      items: { type: 'object', additionalProperties: { type: 'integer', nullable: true } },
      'x-kubernetes-list-type': 'atomic',
    },
    { type: 'array', items: { type: 'object', additionalProperties: {} }, 'x-kubernetes-list-type': 'atomic' },
  ],
  ['a number or a text', { 'x-kubernetes-int-or-string': true, anyOf: [{}] }, { 'x-kubernetes-int-or-string': true }],
])('%s', (_, written, shown) => {
  expect(writtenForV2({ ...written })).toEqual(shown)
})
