import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathCompletions } from '../../console/src/playground/path/complete.ts'
import { findMatches } from '../../src/patches/path/matches.ts'
import { parsePath } from '../../src/patches/path/parse.ts'

describe('completing a path', () => {
  const object = {
    kind: 'X',
    metadata: { name: 'n', labels: { 'a/b': '1', 'tenant.internal/x': '2' } },
    list: [{ x: 1 }, { y: 2 }],
    listed: { constructor: true },
    '0': 'zero',
  }

  it.each([
    ['', ['[0]', 'metadata', 'list', 'listed', '[*]']],
    ['metadata', ['metadata.labels', 'metadata[*]']],
    ['meta', ['metadata']],
    ['metadata.', ['metadata.labels', 'metadata[*]']],
    ['metadata.labels', ['metadata.labels["a/b"]', 'metadata.labels[*]']],
    ['metadata.labels["', ['metadata.labels["a/b"]', 'metadata.labels[*]']],
    ["metadata.labels['A/", ['metadata.labels["a/b"]']],
    ['metadata["labels"][', ['metadata["labels"]["a/b"]', 'metadata["labels"][*]']],
    ['list', ['listed', 'list[*]', 'list[0]', 'list[1]']],
    ['list[', ['list[*]', 'list[0]', 'list[1]']],
    ['list[*]', ['list[*].x', 'list[*].y', 'list[*][*]']],
    ['list.*.', ['list.*.x', 'list.*.y', 'list.*[*]']],
    ['$.list[1]', ['$.list[1].y']],
    ['listed', ['listed.constructor']],
    ['nothing.here', []],
    ['list[*].x', []],
  ])('%j is completed with %j', (text, paths) => {
    expect(pathCompletions(object, text).map(({ value }) => value)).toEqual(paths)
  })

  it('suggests only paths that the engine accepts', () => {
    const name = fc.oneof(fc.string(), fc.constantFrom('a.b', 'a"b', "a'b", 'a\\b', '*', '[', '__proto__', '7'))
    fc.assert(
      fc.property(name, (member) => {
        const nested = { spec: Object.fromEntries([[member, 1]]) }
        for (const { value } of pathCompletions(nested, 'spec')) {
          const path = parsePath(value)
          expect(path.ok, value).toBe(true)
          if (path.ok) expect(findMatches(nested, path.path), value).toHaveLength(1)
        }
      }),
    )
  })
})
