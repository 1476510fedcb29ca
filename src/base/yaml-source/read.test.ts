import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { setMember } from '../json/member.ts'
import { parseYaml } from '../json/yaml.ts'
import { linePosition, lineText } from './lines.ts'
import type { YamlValue } from './node.ts'
import { readYaml, type YamlSource } from './read.ts'

function plain(value: YamlValue | undefined): unknown {
  if (value === undefined) return null
  if (value.type === 'scalar') return value.value
  if (value.type === 'list') return value.items.map(plain)
  const object: Record<string, unknown> = {}
  for (const member of value.members) setMember(object, member.key, plain(member.value))
  return object
}

function complaints(source: YamlSource): readonly string[] {
  return source.problems.map(({ span, message }) => {
    const { line, column } = linePosition(source.lines, span.start)
    return `${line}:${column} ${message}`
  })
}

describe('readYaml', () => {
  it.each([
    'a: yes\nb: off\nc: "yes"\nd: 0777\ne: 1_000\nf: ~\ng:\nh: 12:30',
    'a: !!str 1\nb: !!int "2"\nc: {d: [1, [2], {e: f}]}',
    'base: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\ne: [*x, *x]\nf: {<<: [*x, {g: 1}]}',
    'a: |\n  x\nb: >-\n  x\n  y\n',
    '__proto__: 1\nconstructor: {toString: 2}',
    '',
    '# nothing',
    '---\na: 1\n...\n',
  ])('reads %j as every other YAML of the system is read', (text) => {
    expect(plain(readYaml(text).root)).toEqual(parseYaml(text).value)
    expect(readYaml(text).problems).toEqual([])
  })

  it('keeps repeated keys, and the text of keys that look like something else', () => {
    const { root } = readYaml('a: 1\na: 2\ny: 3\n1.50: 4')
    expect(root?.type === 'map' && root.members.map(({ key }) => key)).toEqual(['a', 'a', 'y', '1.50'])
  })

  it.each([
    ['a: b: c', ['1:4 a value cannot hold ": " unless it is quoted']],
    ['a:\n\tb: 1', ['2:1 a tab cannot indent a line']],
    ['a: [1,\nb: 2', ['2:1 expected ] before this']],
    ['a: "b', ['1:6 the quote that opens this text is never closed']],
    ['a: "b" + c', ['1:8 this does not belong here']],
    [
      'a: @b\nc: `d',
      [
        '1:4 a value without quotes cannot start with this character',
        '2:4 a value without quotes cannot start with this character',
      ],
    ],
    ['a: "\\d"', ['1:5 double quotes do not know this escape']],
    ['a: 1\n---\nb: 2', ['3:1 a second document starts here, and only one is allowed']],
    [
      'a: *x\nb: &x 1\nc: *y',
      ['1:4 there is no anchor &x before this alias', '3:4 there is no anchor &y before this alias'],
    ],
    ['? [a]\n: b\n: c', ['1:3 a key must be a simple text', '3:1 a key is missing here']],
    ['a: !thing 1\nb: !!set {c}', ['1:11 this tag is not supported', '2:10 this tag is not supported']],
    ['a: {<<: 1}', ['1:5 << takes a mapping or a list of mappings']],
  ])('reports the error in %j with its position', (text, expected) => {
    expect(complaints(readYaml(text))).toEqual(expected)
  })

  it('refuses aliases that expand without limit and endless nesting', () => {
    const rows = ['a: &a [x,x,x,x,x,x,x,x,x]']
    for (let row = 1; row < 12; row++) {
      const above = String.fromCharCode(96 + row)
      rows.push(`${String.fromCharCode(97 + row)}: &${String.fromCharCode(97 + row)} [${`*${above},`.repeat(9)}]`)
    }
    expect(complaints(readYaml(rows.join('\n')))).toEqual(['5:23 aliases expand to too many values'])
    expect(complaints(readYaml('a: &a [*a]'))).toEqual(['1:8 there is no anchor &a before this alias'])
    for (const unit of ['[', '{a: ', '- ', '? ', '[{a: ']) {
      expect(readYaml(unit.repeat(2_000)).problems[0]?.message).toBe('values are nested too deeply')
    }
    const chain = Array.from({ length: 400 }, (_, row) => `a${row + 1}: &a${row + 1} {x: *a${row}}`)
    expect(readYaml(['a0: &a0 1', ...chain].join('\n')).problems[0]?.message).toBe('values are nested too deeply')
  })

  it('never throws, and every problem stands inside the text', () => {
    const fragments = [
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '&x ',
      '*x',
      '!!int ',
      '|\n',
      '"',
      "'",
      '#',
    ]
    const fragment = fc.constantFrom(...fragments, '---\n', '? ', '\t', '<<', '1', '\ufeff', '\r\n', '%', '\\', '😀')
    fc.assert(
      fc.property(
        fc.array(fragment, { maxLength: 20 }).map((parts) => parts.join('')),
        (text) => {
          const source = readYaml(text)
          for (const { span } of source.problems) {
            const { line, column } = linePosition(source.lines, span.start)
            expect(column).toBeLessThanOrEqual(lineText(source.lines, line).length + 2)
          }
        },
      ),
      { numRuns: 1_000, seed: 4 },
    )
  })
})
