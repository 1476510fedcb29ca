import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ElementSplitter, type JsonElement } from './element-splitter.ts'

function split(document: string, size = 7, maxElementBytes = 1_000) {
  const elements: JsonElement[] = []
  const splitter = new ElementSplitter({
    member: 'items',
    maxElementBytes,
    maxRestBytes: 1_000,
    take: (element) => elements.push(element),
  })
  const bytes = Buffer.from(document)
  for (let at = 0; at < bytes.length; at += size) splitter.read(bytes.subarray(at, at + size))
  return { elements, rest: splitter.end().toString() }
}

const textsOf = ({ elements }: ReturnType<typeof split>) => elements.map(({ bytes }) => bytes.toString())

describe('the elements of a list', () => {
  it('are found however the document is split or formatted', () => {
    const item = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }))
    const around = fc.record({ kind: fc.string(), metadata: fc.dictionary(fc.string(), fc.string()) })
    fc.assert(
      fc.property(
        fc.array(item),
        around,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ max: 3 }),
        (items, rest, size, blanks) => {
          const document = JSON.stringify({ ...rest, items, last: true }, undefined, Math.max(0, blanks))
          const found = split(document, size, 100_000)
          expect(textsOf(found).map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(items)))
          expect(JSON.parse(found.rest)).toEqual(JSON.parse(JSON.stringify({ ...rest, items: [], last: true })))
        },
      ),
    )
  })

  it('are measured one by one', () => {
    const { elements } = split('{"x":[[[]]],"items":[{"a":[1,2]},{},{"b":{"c":{}}}]}')
    expect(elements.map(({ shape }) => shape)).toEqual([
      { depth: 2, values: 3 },
      { depth: 1, values: 1 },
      { depth: 3, values: 3 },
    ])
  })

  it.each([
    ['of another member', '{"metadata":{"items":[{"a":1}]},"x":[{"b":1}],"items":[{"c":1}]}', ['{"c":1}']],
    ['of a name that only ends like it', '{"x\\"items":[{"a":1}],"items":[]}', []],
    ['in a text', '{"a":", \\"items\\":[{}]","items":[{"c":1}]}', ['{"c":1}']],
    ['further down', '{"a":[{"items":[{"x":1}]}],"items":[{"c":1}]}', ['{"c":1}']],
  ])('do not include those %s', (_, document, expected) => {
    for (const size of [1, 3, 1_000]) expect(textsOf(split(document, size))).toEqual(expected)
  })

  it('that are too large are truncated, and the others are complete', () => {
    const { elements } = split(`{"items":[{"a":1},{"b":"${'x'.repeat(5_000)}"},{"c":1}]}`, 64, 100)
    expect(elements.map(({ isWhole, bytes }) => [isWhole, bytes.length])).toEqual([
      [true, 7],
      [false, 100],
      [true, 7],
    ])
  })
})

it.each([
  ['ends early', '{"items":[{"a":1}', 'unexpected end'],
  ['has elements that are not objects', '{"items":[1]}', 'no object'],
  ['has too much around them', `{"x":"${'x'.repeat(2_000)}","items":[]}`, 'too large'],
])('a document that %s is refused', (_, document, problem) => {
  expect(() => split(document)).toThrow(problem)
})
