import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Document, Scalar } from 'yaml'
import { memberOf, type YamlScalar } from './node.ts'
import { readYaml } from './read.ts'
import { scalarOffsets } from './scalar-offsets.ts'

function scalarAt(text: string): YamlScalar {
  const { root } = readYaml(text)
  const value = root?.type === 'map' ? memberOf(root, 'a')?.value : undefined
  if (value?.type !== 'scalar') throw new Error(`no scalar at a in ${text}`)
  return value
}

/** The source from the position of the mark on. */
function sourceFrom(source: string, mark: string): string {
  const scalar = scalarAt(source)
  const offset = scalarOffsets(source, scalar)?.[scalar.text.indexOf(mark)]
  return offset === undefined ? '' : source.slice(offset)
}

describe('scalarOffsets', () => {
  it.each([
    ['plain', 'a: value + bad\n', 'bad', 'bad\n'],
    ['plain over lines', 'a: value\n   +\n\n   bad # c\n', 'bad', 'bad # c\n'],
    ['single quotes', "a: 'it''s ''bad'''\n", 'bad', "bad'''\n"],
    ['single quotes over lines', "a: 'one\n  two\n\n  bad'", 'bad', "bad'"],
    ['double quotes', 'a: "\\"x\\u0041\\x41\\U0001F600\\t bad"', 'bad', 'bad"'],
    ['double quotes over lines', 'a: "one \\\n  two\n\n  \\n bad"', 'bad', 'bad"'],
    ['literal', 'a: |\n  one\n    two\n\n  bad\n', 'bad', 'bad\n'],
    ['literal without end', 'a: |-\n  one\n  bad', 'bad', 'bad'],
    ['literal with leading blank lines', 'a: |+\n\n\n  one bad\n\n', 'bad', 'bad\n\n'],
    ['literal with an indentation indicator', 'a: |2-\n    one\n  bad\n', 'bad', 'bad\n'],
    ['literal with Windows line ends', 'a: |\r\n  one\r\n  bad\r\n', 'bad', 'bad\r\n'],
    ['folded', 'a: >\n  one\n  two\n\n  three bad\n', 'bad', 'bad\n'],
    ['folded with deeper lines', 'a: >-\n  one\n\n    two\n    bad\n  three', 'bad', 'bad\n  three'],
    ['folded with leading blank lines', 'a: >\n\n  one\n  bad\n', 'bad', 'bad\n'],
    ['flow', '{b: [1], a: "x\\\\bad"}', 'bad', 'bad"}'],
  ])('finds a place in a scalar: %s', (_style, source, mark, rest) => {
    expect(sourceFrom(source, mark)).toBe(rest)
  })

  it('maps every unit of printable text to itself, whatever the style', () => {
    const styles = ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const
    const word = fc.constantFrom('x', 'yy', "'", '"', '\\', ' ', '  ', '\n', '\n\n', ' # ', ': ', 'ü', '😀', '{')
    fc.assert(
      fc.property(
        fc.constantFrom(...styles),
        fc.array(word, { maxLength: 12 }).map((words) => `x${words.join('')}`),
        (style, value) => {
          const scalar = new Scalar(value)
          scalar.type = style
          const source = new Document({ a: scalar }).toString({ lineWidth: 30 })
          const located = scalarAt(source)
          const { text } = located
          const offsets = scalarOffsets(source, located)
          expect(offsets).toHaveLength(text.length + 1)
          for (const [index, unit] of [...text].entries()) {
            if (/[xyü{]/.test(unit))
              expect(source[offsets?.[[...text].slice(0, index).join('').length] ?? -1]).toBe(unit)
          }
        },
      ),
      { numRuns: 300, seed: 4 },
    )
  })
})
