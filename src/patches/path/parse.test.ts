import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePath } from './parse.ts'
import type { PatchPathElement, Path } from './path.ts'
import { printPatchPath } from './print.ts'

const each: PatchPathElement = { type: 'wildcard' }

function member(name: string): PatchPathElement {
  return { type: 'member', name }
}

function index(position: number): PatchPathElement {
  return { type: 'index', index: position }
}

const readings: readonly (readonly [string, Path, string])[] = [
  ['a', [member('a')], 'a'],
  ['a.b', [member('a'), member('b')], 'a.b'],
  ['a[0]', [member('a'), index(0)], 'a[0]'],
  ['a.0', [member('a'), index(0)], 'a[0]'],
  ['a["0"]', [member('a'), member('0')], 'a["0"]'],
  ['a["k.with/dots"]', [member('a'), member('k.with/dots')], 'a["k.with/dots"]'],
  ["a['k.with/dots']", [member('a'), member('k.with/dots')], 'a["k.with/dots"]'],
  ['a[k.with/dots]', [member('a'), member('k.with/dots')], 'a["k.with/dots"]'],
  ['a."k.with/dots".b', [member('a'), member('k.with/dots'), member('b')], 'a["k.with/dots"].b'],
  ['a[*]', [member('a'), each], 'a[*]'],
  ['a.*', [member('a'), each], 'a[*]'],
  ['*.b', [each, member('b')], '[*].b'],
  ['[*][*]', [each, each], '[*][*]'],
  ['a[*].b[*].c', [member('a'), each, member('b'), each, member('c')], 'a[*].b[*].c'],
  ['a["*"]', [member('a'), member('*')], 'a["*"]'],
  ['a["say \\"hi\\""]', [member('a'), member('say "hi"')], 'a["say \\"hi\\""]'],
  ["a['it\\'s']", [member('a'), member("it's")], 'a["it\'s"]'],
  ['a["back\\\\slash"]', [member('a'), member('back\\slash')], 'a["back\\\\slash"]'],
  ['a["]"].b', [member('a'), member(']'), member('b')], 'a["]"].b'],
  ['a[""]', [member('a'), member('')], 'a[""]'],
  ['größe.键["🙂.x"]', [member('größe'), member('键'), member('🙂.x')], '["größe"]["键"]["🙂.x"]'],
  ['$.a.b', [member('a'), member('b')], 'a.b'],
  ['$["a"]', [member('a')], 'a'],
  ['$ref.b', [member('$ref'), member('b')], '["$ref"].b'],
  ['["$"].a', [member('$'), member('a')], '["$"].a'],
  ['  a[ 0 ][ "b" ][ c ]  ', [member('a'), index(0), member('b'), member('c')], 'a[0].b.c'],
  ['a[007]', [member('a'), member('007')], 'a["007"]'],
  ['a[4294967295]', [member('a'), member('4294967295')], 'a["4294967295"]'],
  ['a.__proto__.constructor', [member('a'), member('__proto__'), member('constructor')], 'a.__proto__.constructor'],
]

const mistakes: readonly (readonly [string, number, string])[] = [
  ['', 0, 'the path is empty, expected a field such as spec.ports'],
  ['   ', 0, 'the path is empty, expected a field such as spec.ports'],
  ['$', 1, 'expected a field after $, such as $.spec'],
  ['$.', 2, 'expected a name or * after the dot'],
  ['.a', 0, 'a path does not start with a dot'],
  ['a.', 2, 'expected a name or * after the dot'],
  ['a..b', 2, 'expected a name or * after the dot'],
  ['a.[0]', 2, 'expected a name or * after the dot'],
  ['a[', 2, 'expected ] for the [ at position 2'],
  ['a[b', 3, 'expected ] for the [ at position 2'],
  ['a["b"', 5, 'expected ] for the [ at position 2'],
  ['a["b', 4, 'expected " for the " at position 3'],
  ['a[\'b"]', 6, "expected ' for the ' at position 3"],
  ['a["b"c]', 5, 'expected ] after the quoted name'],
  ['a[]', 2, 'expected an index, a name or * between [ and ]'],
  ['a[0]b', 4, 'expected . or [ or the end of the path'],
  ['a]', 1, 'there is no [ before this ]'],
  ['a[b[c]]', 3, 'expected ] before the next ['],
  ['a.b*', 3, '* stands alone, as in .* or [*]; a name that contains it is written in quotes'],
  ['a[**]', 2, '* stands alone, as in .* or [*]; a name that contains it is written in quotes'],
  ['a[-1]', 2, 'an index is 0 or greater; a field of this name is written ["-1"]'],
  ['a b', 1, 'a name with a blank is written in brackets and quotes: ["a b"]'],
  ['a.b"c"', 3, 'a name with " is written in brackets and quotes: ["b\\"c\\""]'],
  ['a["\\n"]', 3, 'expected \\\\, \\" or \\\' here'],
  ['a["\\', 3, 'expected \\\\, \\" or \\\' here'],
]

describe('a path', () => {
  it.each(readings)('%s is read as its elements and printed in one form', (text, path, printed) => {
    expect(parsePath(text)).toEqual({ ok: true, path })
    expect(printPatchPath(path)).toBe(printed)
  })

  it.each(mistakes)('%j is refused with the position and what was expected', (text, offset, message) => {
    expect(parsePath(text)).toEqual({ ok: false, problem: { offset, message } })
  })

  it('is bounded in length and depth', () => {
    expect(parsePath('a'.repeat(5000))).toMatchObject({ ok: false, problem: { offset: 4096 } })
    expect(parsePath('[*]'.repeat(101))).toMatchObject({ ok: false, problem: { offset: 300 } })
    expect(parsePath('[*]'.repeat(100))).toMatchObject({ ok: true })
  })
})

const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('__proto__', 'constructor', '', '*', '0', '-1', '$', '"', "'", '\\', '].[', ' x ', '\ud800'),
)
const anyElement: fc.Arbitrary<PatchPathElement> = fc.oneof(
  anyName.map(member),
  fc.nat(2 ** 32 - 2).map(index),
  fc.constant(each),
)

describe('paths of every kind', () => {
  it('printed and parsed again are equal', () => {
    fc.assert(
      fc.property(fc.array(anyElement, { minLength: 1, maxLength: 8 }), (path) => {
        expect(parsePath(printPatchPath(path))).toEqual({ ok: true, path })
      }),
      { numRuns: 2000 },
    )
  })

  it('are read or refused at a position inside the text, whatever the text', () => {
    const pieces = fc.constantFrom(
      'a',
      '.',
      '[',
      ']',
      '*',
      '"',
      "'",
      '\\',
      '0',
      ' ',
      '$',
      '-1',
      'é',
      '\ud83d',
      '__proto__',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        const text = parts.join('')
        const parsed = parsePath(text)
        if (parsed.ok) expect(parsePath(printPatchPath(parsed.path))).toEqual(parsed)
        else expect(parsed.problem.offset >= 0 && parsed.problem.offset <= text.length).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})
