import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { editableText, onVersion, versionIn } from '../../console/src/editor/editable-text.ts'
import { pathAtLine } from '../../console/src/editor/yaml-path.ts'
import { diffLines } from '../../console/src/yaml/diff.ts'
import { printYaml } from '../../console/src/yaml/print.ts'

/** Reads it like kubectl, with the booleans of YAML 1.1. */
const read = (text: string) => parse(text, { version: '1.1', schema: 'yaml-1.1' })

describe('printing YAML', () => {
  it('prints objects as kubectl does', () => {
    const value = {
      kind: 'Secret',
      metadata: { name: 'a', labels: {} },
      items: ['x', { y: 1, z: [true, null] }],
      none: [],
    }
    expect(printYaml(value)).toBe(
      [
        'kind: Secret',
        'metadata:',
        '  name: a',
        '  labels: {}',
        'items:',
        '- x',
        '- "y": 1',
        '  z:',
        '  - true',
        '  - null',
        'none: []',
        '',
      ].join('\n'),
    )
  })

  it.each([
    'yes',
    'No',
    'on',
    '1',
    '0x1',
    '1e3',
    '1_000',
    '~',
    'null',
    '',
    ' a',
    'a ',
    '- a',
    '? a',
    'a: b',
    'a #b',
    '@a',
    '`a',
    '!a',
    '&a',
    '*a',
    "it's",
    'a"b',
    '\\',
    '\t',
    'a\nb',
    'a\n\nb\n',
    '\n',
    '  a\nb',
    '=',
    '<<',
    '2026-01-01',
    '12:30:45',
    '.5',
    '+1',
    'E0',
    'e-1',
    'é ü',
    '\u2028',
    '\ufeff',
    '\ud83d\ude00',
    '__proto__',
    "<script>alert('x')</script>",
  ])('keeps the text %j', (text) => {
    expect(read(printYaml({ text, [`name ${text}`]: [text] }))).toEqual({ text, [`name ${text}`]: [text] })
  })

  it('keeps any data', () => {
    const text = fc.string({ unit: 'grapheme' })
    const tree = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('map')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      map: fc.dictionary(
        fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== '__proto__'),
        tie('value'),
        { maxKeys: 4 },
      ),
    }))
    fc.assert(
      fc.property(tree.map, (value) => {
        expect(read(printYaml(value)) ?? {}).toEqual(JSON.parse(JSON.stringify(value)))
      }),
      { numRuns: 300 },
    )
  })
})

describe('editing an object', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', resourceVersion: '41', managedFields: [{ manager: 'x' }] },
    data: { text: 'resourceVersion: "7"' },
  }

  it('omits metadata of the server', () => {
    expect(editableText(object)).not.toContain('managedFields')
    expect(read(editableText(object)).data).toEqual(object.data)
  })

  it('reads the version of a text, and replaces it', () => {
    const text = editableText(object)
    expect(versionIn(text)).toBe('41')
    expect(versionIn(onVersion(text, '99'))).toBe('99')
    expect(read(onVersion(text, '99')).data).toEqual(object.data)
  })

  it.each([
    [['sync:', '  '], ['sync']],
    [
      ['sync:', '  toHost:', '    endp'],
      ['sync', 'toHost'],
    ],
    [
      ['sync:', '  toHost:', '    endpoints:', '      patches:', '        - pa'],
      ['sync', 'toHost', 'endpoints', 'patches', '-'],
    ],
    [['a:', '  b:', '    c: 1', 'd:', '  '], ['d']],
    [['x'], []],
    [
      ['a:', '- b:', '    c:', '      '],
      ['a', '-', 'b', 'c'],
    ],
    [
      ['a:', '  - b: 1', '    c'],
      ['a', '-'],
    ],
    [
      ['a:', '- x', '- y'],
      ['a', '-'],
    ],
  ])('finds the path of the last line of %j', (lines, path) => {
    expect(pathAtLine(lines, lines.length - 1)).toEqual(path)
  })
})

describe('differences between texts', () => {
  it.each([
    ['nothing', 'a\nb\n', 'a\nb\n', [' a', ' b']],
    ['a line in the middle', 'a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
    ['lines at the ends', 'b', 'a\nb\nc', ['+a', ' b', '+c']],
    ['everything', '', 'a', ['+a']],
    ['moved lines', 'a\nb\nc\nd', 'b\nc\nd\na', ['-a', ' b', ' c', ' d', '+a']],
  ])('show %s', (_, before, after, expected) => {
    const signs = { same: ' ', removed: '-', added: '+' } as const
    expect(diffLines(before, after).map(({ kind, text }) => `${signs[kind]}${text}`)).toEqual(expected)
  })

  it('transform one text into the other', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = diffLines(before.join('\n'), after.join('\n'))
        expect(diff.filter(({ kind }) => kind !== 'added').map(({ text }) => text)).toEqual(before)
        expect(diff.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)).toEqual(after)
      }),
    )
  })
})
