import { expect, it } from 'vitest'
import { atOnce } from '../../base/steps.ts'
import { jsonPieces } from './json-pieces.ts'

it.each([
  {},
  { a: 1, b: 'x"', c: [1, { d: null }], e: {}, f: { g: {}, h: { i: { j: { k: [] } } } } },
  { gone: undefined, stays: false, deep: { gone: undefined } },
])('pieces are the same JSON: %j', (document) => {
  expect(Buffer.concat([...atOnce(jsonPieces(document))]).toString()).toBe(JSON.stringify(document))
})

it('each member of a member is a step', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`d${index}`, { type: 'string' }]))
  const steps = jsonPieces({ components: { schemas: many } })
  let rests = 0
  while (steps.next().done !== true) rests++
  expect(rests).toBe(100)
})
