import { describe, expect, it } from 'vitest'
import { type CelOutcome, compileCel } from './compile.ts'
import { compileEffort } from './compile-effort.ts'
import { celEnvironment, withVariables } from './environment.ts'
import { optionals } from './extension/optionals.ts'
import { sets } from './extension/sets.ts'
import { stringExtension } from './extension/strings.ts'
import { standardLibraries } from './standard/standard.ts'
import { dynType, intType, listType, mapType, stringType } from './type.ts'
import { type CelResult, celList, celMap } from './value.ts'

const variables: Record<string, CelResult> = {
  x: 5n,
  l: celList([1n, 2n, 3n]),
  d: 'text',
  m: celMap(new Map([['sa', ['a', 1n]]])),
}

const environment = withVariables(
  celEnvironment([...standardLibraries, stringExtension, sets, optionals]),
  new Map([
    ['x', { type: intType }],
    ['l', { type: listType(intType) }],
    ['d', { type: dynType }],
    ['m', { type: mapType(stringType, intType) }],
  ]),
)

function evaluate(text: string, costLimit = 1_000_000): CelOutcome {
  const program = compileCel(text, environment, compileEffort(50_000))
  if ('problem' in program) throw new Error(program.problem)
  return program.evaluate(variables, costLimit)
}

/** Each is compared inside the language, which has a literal for every value. */
const equal: readonly (readonly [expression: string, same: string])[] = [
  ['1 + 2 * 3', '7'],
  ['(1 + 2) * 3', '9'],
  ['{"a": 1, "a": 2}', '{"a": 2}'],
  ['7 / 2', '3'],
  ['-7 / 2', '-3'],
  ['-7 % 3', '-1'],
  ['{dyn(9223372036854775808u): 1}[dyn(9223372036854775808.0)]', '1'],
  ['7.0 / 2.0', '3.5'],
  ['0x10', '16'],
  ['1u + 2u', '3u'],
  ['1e3', '1000.0'],
  ['.5', '0.5'],
  ['- -1', '1'],
  ['!!true', 'true'],
  ['"a" + \'b\'', '"ab"'],
  ['"""a\nb"""', '"a\\nb"'],
  ["r'\\d'", '"\\\\d"'],
  ["'\\u0041\\x42\\103'", '"ABC"'],
  ["b'abc'", 'bytes("abc")'],
  ["b'\\xff'.size()", '1'],
  ['[1] + [2, 3]', 'l'],
  ['[1, 2, 3][1]', '2'],
  ["{'a': 1}['a']", '1'],
  ["{'a': 1}.a", '1'],
  ["{1: 'a', 2: 'b'}[2]", '"b"'],
  ['true ? 1 : 2', '1'],
  ['false ? 1 : true ? 2 : 3', '2'],
  ['2 in l', 'true'],
  ['7 in l', 'false'],
  ["'a' in m", 'true'],
  ["'b' in m", 'false'],
  ['l.all(i, i > 0)', 'true'],
  ['l.exists(i, i > 2)', 'true'],
  ['l.exists_one(i, i > 1)', 'false'],
  ['l.map(i, i * i)', '[1, 4, 9]'],
  ['l.map(i, i > 1, i * 10)', '[20, 30]'],
  ['l.filter(i, i % 2 == 1)', '[1, 3]'],
  ['m.map(k, k)', "['a']"],
  ['l.map(i, l.map(j, i * j)).size()', '3'],
  ['[].all(i, false)', 'true'],
  ['has(m.a)', 'true'],
  ['has(m.b)', 'false'],
  ["'héllo'.size()", '5'],
  ["size('😀')", '1'],
  ['size(l) + l.size()', '6'],
  ["'hello'.contains('ell')", 'true'],
  ["'hello'.startsWith('he') && 'hello'.endsWith('lo')", 'true'],
  ["'hello'.matches('^h.*o$')", 'true'],
  ["matches('hello', 'l{2}')", 'true'],
  ["int('12') + int(1.9) + int(3u)", '16'],
  ["double('1.5')", '1.5'],
  ['string(1.0)', "'1'"],
  ['string(1500000.0)', "'1.5e+06'"],
  ['string(0.00001)', "'1e-05'"],
  ['string(true) + string(12) + string(7u)', "'true127'"],
  ["string(b'abc')", "'abc'"],
  ["bool('true')", 'true'],
  ["uint('3')", '3u'],
  ["type(1) == int && type('') == string && type(null) == null_type", 'true'],
  ['type([]) == list && type({}) == map && type(1u) == uint && type(1.0) == double', 'true'],
  ['type(type(1)) == type', 'true'],
  ["timestamp('2024-02-29T10:11:12.5Z').getFullYear()", '2024'],
  ["timestamp('2024-02-29T10:11:12.5Z').getMonth()", '1'],
  ["timestamp('2024-02-29T10:11:12.5Z').getDayOfMonth()", '28'],
  ["timestamp('2024-02-29T10:11:12.5Z').getDate()", '29'],
  ["timestamp('2024-02-29T10:11:12.5Z').getDayOfYear()", '59'],
  ["timestamp('2024-02-29T10:11:12.5Z').getDayOfWeek()", '4'],
  ["timestamp('2024-02-29T10:11:12.5Z').getMilliseconds()", '500'],
  ["timestamp('2024-02-29T23:00:00Z').getHours('+02:00')", '1'],
  ["timestamp('2024-07-01T12:00:00Z').getHours('Europe/Berlin')", '14'],
  ["string(timestamp('2024-02-29T10:11:12.500+01:00'))", "'2024-02-29T09:11:12.5Z'"],
  ["timestamp('2024-01-01T00:00:00Z') + duration('1h')", "timestamp('2024-01-01T01:00:00Z')"],
  ["timestamp('2024-01-01T00:00:00Z') - timestamp('2023-12-31T00:00:00Z')", "duration('24h')"],
  ["int(timestamp('1970-01-01T00:00:10Z'))", '10'],
  ["duration('1h30m').getMinutes()", '90'],
  ["string(duration('90m'))", "'5400s'"],
  ["duration('1.5s').getMilliseconds()", '1500'],
  ["duration('100ms') < duration('1s')", 'true'],
  ['1 < 2u && 2u < 2.5 && 1.5 > 1', 'true'],
  ['dyn(1) == dyn(1.0) && dyn(1u) == dyn(1)', 'true'],
  ["dyn(1) == dyn('1')", 'false'],
  ['dyn([1, 2]) == dyn([1.0, 2.0])', 'true'],
  ["'b' > 'a' && b'b' > b'a' && true > false", 'true'],
  ['false && 1 / 0 > 0', 'false'],
  ['1 / 0 > 0 && false', 'false'],
  ['1 / 0 > 0 || true', 'true'],
  ['[1, 0].exists(i, 1 / i == 1)', 'true'],
  ['[0, 1].exists(i, 1 / i == 1)', 'true'],
  ['null == null', 'true'],
  ['optional.of(3).optMap(v, v + 1).orValue(0)', '4'],
  ['optional.none().optMap(v, v + 1).orValue(0)', '0'],
  ['optional.of(3).optFlatMap(v, optional.none()).hasValue()', 'false'],
  ['optional.of(1).or(optional.of(2)).value()', '1'],
  ['optional.none().or(optional.of(2)).value()', '2'],
  ["optional.ofNonZeroValue('').hasValue()", 'false'],
  ['m.?a.value()', '1'],
  ['m.?b.hasValue()', 'false'],
  ['m[?"b"].orValue(9)', '9'],
  ['l[?5].orValue(7)', '7'],
  ['l[?0].value()', '1'],
  ['[?m.?a, ?m.?b]', '[1]'],
  ["{?'a': m.?a, ?'b': m.?b}", "{'a': 1}"],
  ["'tacocat'.charAt(3)", "'o'"],
  ["'hello mellow'.indexOf('ello')", '1'],
  ["'hello mellow'.indexOf('ello', 2)", '7'],
  ["'hello mellow'.lastIndexOf('ello')", '7'],
  ["'hello mellow'.lastIndexOf('ello', 6)", '1'],
  ["'😀b'.indexOf('b')", '1'],
  ["'TacÓcat'.lowerAscii()", "'tacÓcat'"],
  ["'tacócat'.upperAscii()", "'TACóCAT'"],
  ["'hello hello'.replace('he', 'we')", "'wello wello'"],
  ["'hello hello'.replace('he', 'we', 1)", "'wello hello'"],
  ["'hello hello'.replace('he', 'we', 0)", "'hello hello'"],
  ["'ab'.replace('', '_')", "'_a_b_'"],
  ["'a,b,c'.split(',')", "['a', 'b', 'c']"],
  ["'a,b,c'.split(',', 2)", "['a', 'b,c']"],
  ["'a,b,c'.split(',', 0)", '[]'],
  ["'tacocat'.substring(4)", "'cat'"],
  ["'tacocat'.substring(0, 4)", "'taco'"],
  ["'  \\ttrim\\n '.trim()", "'trim'"],
  ["['a', 'b'].join()", "'ab'"],
  ["['a', 'b'].join('-')", "'a-b'"],
  ["strings.quote('a\"b\\n')", '"\\"a\\\\\\"b\\\\n\\""'],
  [
    "'%s is %d, %.1f, %b, %x, %X, %o, 100%%'.format(['a', 5, 1.25, 5, 255, 'hi', 8])",
    "'a is 5, 1.2, 101, ff, 6869, 10, 100%'",
  ],
  ["'%.0f %.2f %f'.format([2.5, 0.125, -1234567.891])", "'2 0.12 -1,234,567.891000'"],
  ["'%.0f %.0f'.format([999.5, 1e22])", "'1,000 10,000,000,000,000,000,000,000'"],
  ["'%f %.3f'.format([5e-324, 0.0015])", "'0.000000 0.002'"],
  ["'%.1e'.format([1234.5678])", "'1.234568\u202f×\u202f10⁰³'"],
  ["'%s'.format([[1234567.5, 1e22]])", "'[1234567.500000, 10000000000000000000000.000000]'"],
  ["'%s'.format([[1, 'a', null]])", `'[1, "a", null]'`],
  ["'%s'.format([{'b': 1, 'a': true}])", `'{"a":true, "b":1}'`],
  ['sets.contains([1, 2, 3], [3, 1])', 'true'],
  ['sets.contains([1], [2])', 'false'],
  ['sets.equivalent([1, 2], [2, 1, 1])', 'true'],
  ['sets.intersects([1, 2], [2, 5])', 'true'],
  ['sets.intersects([], [2])', 'false'],
  ['x == 5 // a remark', 'true'],
]

describe('expressions', () => {
  it.each(equal)('%s is %s', (expression, same) => {
    expect(evaluate(`(${expression}\n) == (${same})`)).toMatchObject({ value: true })
  })
})

describe('expressions that fail when they are evaluated', () => {
  it.each([
    ['1 / 0', 'division by zero'],
    ['1 % 0', 'modulus by zero'],
    ['(-9223372036854775807 - 1) % -1 == 0', 'integer overflow'],
    ['9223372036854775807 + 1', 'integer overflow'],
    ['0u - 1u', 'unsigned integer overflow'],
    ['l[7]', 'index out of bounds: 7'],
    ['l[-1]', 'index out of bounds: -1'],
    ["m['b']", 'no such key: b'],
    ['m.b', 'no such key: b'],
    ["int('a')", "type conversion error from 'string' to 'int'"],
    ['timestamp(d)', "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
    ['d + 1', 'no such overload'],
    ['d.size(1) == 2 || size(dyn(1)) == 1', undefined],
    ['size(dyn(1))', 'no such overload: size(int)'],
    ['optional.none().value()', 'optional.none() dereference'],
    ["'abc'.charAt(4)", 'index out of range: 4'],
    ["'abc'.substring(2, 1)", 'invalid substring range. start: 2, end: 1'],
    ['d.matches(d + "(")', 'error parsing regexp: missing closing ): `text(`'],
    ['[1, 2].all(i, 1 / (i - i) == 1)', 'division by zero'],
  ])('%s: %s', (expression, problem) => {
    if (problem === undefined) expect(() => evaluate(expression)).toThrow('found no matching overload')
    else expect(evaluate(expression)).toMatchObject({ problem })
  })
})

describe('expressions that are refused', () => {
  it.each([
    ['foo(x)', "ERROR: <input>:1:4: undeclared reference to 'foo' (in container '')\n | foo(x)\n | ...^"],
    ['y', "ERROR: <input>:1:1: undeclared reference to 'y' (in container '')\n | y\n | ^"],
    ['x.y', "ERROR: <input>:1:2: type 'int' does not support field selection\n | x.y\n | .^"],
    [
      "x == 'a'",
      "ERROR: <input>:1:3: found no matching overload for '_==_' applied to '(int, string)'\n | x == 'a'\n | ..^",
    ],
    [
      'x.startsWith("a")',
      `ERROR: <input>:1:13: found no matching overload for 'startsWith' applied to 'int.(string)'\n | x.startsWith("a")\n | ............^`,
    ],
    ['x && true', "ERROR: <input>:1:1: expected type 'bool' but found 'int'\n | x && true\n | ^"],
    ["[1, 'a']", "ERROR: <input>:1:5: expected type 'int' but found 'string'\n | [1, 'a']\n | ....^"],
    [
      'x.all(i, true)',
      "ERROR: <input>:1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)\n | x.all(i, true)\n | ^",
    ],
    ["duration('1')", "ERROR: <input>:1:10: invalid duration argument\n | duration('1')\n | .........^"],
    ["timestamp('x')", "ERROR: <input>:1:11: invalid timestamp argument\n | timestamp('x')\n | ..........^"],
    ["'a'.matches('(')", "ERROR: <input>:1:13: invalid matches argument\n | 'a'.matches('(')\n | ............^"],
    ['for', 'ERROR: <input>:1:1: reserved identifier: for\n | for\n | ^'],
    ['has(x)', 'ERROR: <input>:1:5: invalid argument to has() macro\n | has(x)\n | ....^'],
    ['l.all(1, true)', 'ERROR: <input>:1:7: argument must be a simple name\n | l.all(1, true)\n | ......^'],
    ['true &&\n y', "ERROR: <input>:2:2: undeclared reference to 'y' (in container '')\n |  y\n | .^"],
  ])('%s', (expression, problem) => {
    expect(() => evaluate(expression)).toThrow(expect.objectContaining({ message: problem }))
  })

  const beginnings =
    "'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER"

  it.each([
    [
      'x = 1',
      [
        "1:3: Syntax error: token recognition error at: '= '",
        "1:5: Syntax error: extraneous input '1' expecting <EOF>",
      ],
    ],
    [
      'x; x.y',
      ["1:2: Syntax error: token recognition error at: ';'", "1:4: Syntax error: mismatched input 'x' expecting <EOF>"],
    ],
    [
      'x == "a',
      [
        `1:6: Syntax error: token recognition error at: '"a'`,
        `1:8: Syntax error: mismatched input '<EOF>' expecting {${beginnings}}`,
      ],
    ],
  ])('syntax errors have the words of the reference implementation: %s', (expression, problems) => {
    const told = problems.map((each) => expect.stringContaining(`<input>:${each}`))
    let message = ''
    try {
      evaluate(expression)
    } catch (error) {
      message = error instanceof Error ? error.message : ''
    }
    expect(message.split('ERROR: ').slice(1)).toEqual(told)
  })

  it.each([
    '',
    '1 +',
    '(1',
    '[1',
    '{1}',
    "'a",
    'a.',
    'a..b',
    '1 2',
    'a ? b',
    'f(,)',
    '@',
    "'\\q'",
    '9223372036854775808',
  ])('cannot be read: %s', (expression) => {
    expect(() => evaluate(expression)).toThrow('ERROR: <input>:1:')
  })
})
