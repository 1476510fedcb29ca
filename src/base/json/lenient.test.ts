import { describe, expect, it } from 'vitest'
import { asMembers, asObjects, asText, asTexts } from './lenient.ts'

describe('values without a schema', () => {
  it.each([
    ['a text', 'a', { text: 'a', texts: [], members: {}, objects: [] }],
    ['an object', { a: 1 }, { text: '', texts: [], members: { a: 1 }, objects: [] }],
    ['a list', ['a', 1, null, { b: 2 }, []], { text: '', texts: ['a'], members: {}, objects: [{ b: 2 }] }],
    ['null', null, { text: '', texts: [], members: {}, objects: [] }],
    ['nothing', undefined, { text: '', texts: [], members: {}, objects: [] }],
    ['a number', 1, { text: '', texts: [], members: {}, objects: [] }],
  ])('%s has its type, and is otherwise absent', (_, value, expected) => {
    const read = { text: asText(value), texts: asTexts(value), members: asMembers(value), objects: asObjects(value) }
    expect(read).toEqual(expected)
  })
})
