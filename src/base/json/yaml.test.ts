import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonSyntaxError } from './error.ts'
import { toYaml } from './to-yaml.ts'
import { parseLargeYaml, parseYaml } from './yaml.ts'

describe('parseYaml', () => {
  it.each([
    ['a: yes\nb: off\nc: y\nd: "yes"\ne: True', { a: true, b: false, c: true, d: 'yes', e: true }],
    [
      'a: 0777\nb: 0x1F\nc: 1_000\nd: 1e3\ne: 08\nf: -.5\ng: 12:30',
      { a: 511, b: 31, c: 1000, d: 1000, e: 8, f: -0.5, g: '12:30' },
    ],
    ['a:\nb: ~\nc: null\nd: ""', { a: null, b: null, c: null, d: '' }],
    ['a: 2024-01-01\nb: 2024-01-01T00:00:00Z', { a: '2024-01-01', b: '2024-01-01T00:00:00Z' }],
    ['a: !!str 1\nb: !!int "2"\nc: !!binary aGk=\nd: !own x', { a: '1', b: 2, c: 'hi', d: 'x' }],
    ['1: a\nyes: b\n1.5: c', { 1: 'a', true: 'b', 1.5: 'c' }],
    ['a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}', { a: { b: 1 }, c: { b: 1 }, d: { b: 1, e: 2 } }],
    ['a: |\n  x\n  y\nb: >\n  x\n  y\n', { a: 'x\ny\n', b: 'x y\n' }],
    ['{"a": [1, "2"]}', { a: [1, '2'] }],
    ['---\na: 1\n---\n', { a: 1 }],
    ['', null],
    ['# nothing', null],
  ])('%j is read as Go reads it', (text, value) => {
    expect(parseYaml(text)).toEqual({ value, duplicateFields: [] })
  })

  it('names repeated keys and keeps the last', () => {
    expect(parseYaml('spec:\n  ttl: 1\n  ttl: 2\nl:\n- {a: 1, a: 2}')).toEqual({
      value: { spec: { ttl: 2 }, l: [{ a: 2 }] },
      duplicateFields: ['spec.ttl', 'l[0].a'],
      repeatedKeys: ['line 3: key "ttl" already set in map', 'line 5: key "a" already set in map'],
    })
  })

  it.each([
    ['data:\n  a: b\ndata:\n\n  # c\n  c: d\n', 'line 6: key "data" already set in map'],
    ['data:\n- a\ndata:\n- b\n', 'line 4: key "data" already set in map'],
    ['a: |\n  x\na: |\n  y\n  z\n', 'line 3: key "a" already set in map'],
    ['a: b\na:\n  "c"\n', 'line 3: key "a" already set in map'],
    ['a: b\na:\nc: d\n', 'line 2: key "a" already set in map'],
  ])('names the line of the value in %j', (text, repeated) => {
    expect(parseYaml(text).repeatedKeys).toEqual([repeated])
  })

  it('names repeated keys of JSON in a body by their lines too', () => {
    expect(parseLargeYaml('{"a": 1,\n"a": 2}')).toEqual({
      value: { a: 2 },
      duplicateFields: ['a'],
      repeatedKeys: ['line 2: key "a" already set in map'],
    })
  })

  it('keeps names of the prototype as plain members', () => {
    const value = parseYaml('__proto__:\n  a: 1\nconstructor: 2').value
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1},"constructor":2}')
  })

  it.each([
    ['a: [b', "yaml: line 1: did not find expected ',' or ']'"],
    ['a:\n  b: {c', "yaml: line 2: did not find expected ',' or '}'"],
    ['a: b: c', 'yaml: mapping values are not allowed in this context'],
    ['a: b\n c: d', 'yaml: line 2: mapping values are not allowed in this context'],
    ['a\nb: c', 'yaml: line 2: mapping values are not allowed in this context'],
    ['a: b\n- c', 'yaml: line 1: did not find expected key'],
    ['a: b\nfoo\nbar: c\n', "yaml: line 3: could not find expected ':'"],
    ['a: b\nfoo\n', "yaml: line 3: could not find expected ':'"],
    ['- a\nb', "yaml: line 3: could not find expected ':'"],
    ['a: }', 'yaml: did not find expected node content'],
    ['b: 1\na: {b: c}}', 'yaml: line 1: did not find expected key'],
    ['a: [', 'yaml: line 1: did not find expected node content'],
    ['a: [b}\n', "yaml: did not find expected ',' or ']'"],
    ['a: - b', 'yaml: block sequence entries are not allowed in this context'],
    ['a:\n   a: "1"\n  b: "2"\n', 'yaml: line 2: did not find expected key'],
    ['a: "b" c\n', 'yaml: did not find expected key'],
    ['a: "x\\q"', 'yaml: found unknown escape character'],
    ['a: @b', 'yaml: found character that cannot start any token'],
    ['a:\n\tb: c', 'yaml: line 2: found character that cannot start any token'],
    ['a: "b', 'yaml: found unexpected end of stream'],
    ['a: "abc\nfoo: b\n', 'yaml: line 3: found unexpected end of stream'],
    ['a: \u0001', 'yaml: control characters are not allowed'],
    ['a: {{x}}', 'yaml: invalid map key: map[interface {}]interface {}{"x":interface {}(nil)}'],
    ['null: c', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "c"'],
    ['a: *x', "yaml: unknown anchor 'x' referenced"],
    ['a: 1\n---\nb: 1', 'yaml: more than one document'],
    ['? [a]\n: b', 'yaml: invalid map key: []interface {}{"a"}'],
    ['spec: {ttl: 9007199254740993}', 'the number 9007199254740993 at spec.ttl cannot be represented'],
    ['a: .inf', 'the number .inf at a cannot be represented'],
  ])('%j is refused', (text, message) => {
    expect(() => parseYaml(text)).toThrow(JsonSyntaxError)
    expect(() => parseYaml(text)).toThrow(message)
  })

  it('reads the first document of a body and looks at no other', () => {
    expect(parseLargeYaml('a: 1\n---\n{{').value).toEqual({ a: 1 })
    expect(parseLargeYaml('---\n---\na: 1').value).toBeNull()
  })

  it('refuses aliases that expand without limit and documents nested too deeply', () => {
    const rows = ['a: &a [x,x,x,x,x,x,x,x,x]']
    for (let row = 1; row < 12; row++) {
      const above = String.fromCharCode(96 + row)
      rows.push(`${String.fromCharCode(97 + row)}: &${String.fromCharCode(97 + row)} [${`*${above},`.repeat(9)}]`)
    }
    expect(() => parseYaml(rows.join('\n'))).toThrow('yaml: document contains excessive aliasing')
    expect(() => parseYaml('a: &a [*a]')).toThrow(JsonSyntaxError)
    for (const unit of ['[', '{a: ', '- ', '? ', '[{a: ']) {
      expect(() => parseYaml(unit.repeat(2_000))).toThrow('exceeded max depth')
    }
  })

  it('repeats only the beginning of an unknown tag', () => {
    const problem = (() => {
      try {
        parseYaml(`a: !y!${'x'.repeat(100_000)} b`)
      } catch (error) {
        return String(error)
      }
    })()
    expect(problem).toContain('!y!xxx')
    expect(problem?.length).toBeLessThan(400)
  })

  it('throws nothing but JsonSyntaxError', () => {
    const fragment = fc.constantFrom(
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
      '---\n',
      '? ',
      '\t',
      '<<',
      '1',
    )
    fc.assert(
      fc.property(
        fc.array(fragment, { maxLength: 15 }).map((parts) => parts.join('')),
        (text) => {
          try {
            parseYaml(text)
          } catch (error) {
            expect(error).toBeInstanceOf(JsonSyntaxError)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('toYaml', () => {
  it('prints members sorted and lists flush with their key', () => {
    expect(
      toYaml({
        kind: 'Status',
        details: { name: 'nope', list: [{ b: 1, a: '*' }] },
        apiVersion: 'v1',
        metadata: {},
        none: [],
      }),
    ).toBe(
      "apiVersion: v1\ndetails:\n  list:\n  - a: '*'\n    b: 1\n  name: nope\nkind: Status\nmetadata: {}\nnone: []\n",
    )
  })

  it.each([
    [
      'ownedaccesskeys.management.example.com "nope" not found',
      'a: ownedaccesskeys.management.example.com "nope" not found\n',
    ],
    ['true', 'a: "true"\n'],
    ['yes', 'a: "yes"\n'],
    ['1', 'a: "1"\n'],
    ['', 'a: ""\n'],
    ['x\ny\n', 'a: |\n  x\n  y\n'],
  ])('%j is quoted only where it must be', (text, printed) => {
    expect(toYaml({ a: text })).toBe(printed)
  })

  it('quotes a key that would merge', () => {
    expect(toYaml({ '<<': 1 })).toBe('"<<": 1\n')
    expect(parseYaml(toYaml({ a: { '<<': false } })).value).toEqual({ a: { '<<': false } })
  })

  it('prints what parseYaml reads back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (value) => {
        const plain = JSON.parse(JSON.stringify(value))
        expect(parseYaml(toYaml(plain)).value).toEqual(plain)
      }),
    )
  })
})
