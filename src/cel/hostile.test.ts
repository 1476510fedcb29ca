import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileCel } from './compile.ts'
import { compileEffort, EffortSpent } from './compile-effort.ts'
import { celEnvironment, withVariables } from './environment.ts'
import { optionals } from './extension/optionals.ts'
import { sets } from './extension/sets.ts'
import { stringExtension } from './extension/strings.ts'
import { BudgetSpent, Meter, mostWork } from './meter.ts'
import { patternOf } from './run/regex.ts'
import { standardLibraries } from './standard/standard.ts'
import { dynType, listType, stringType } from './type.ts'
import { celList } from './value.ts'

const environment = withVariables(
  celEnvironment([...standardLibraries, stringExtension, sets, optionals]),
  new Map([
    ['d', { type: dynType }],
    ['l', { type: listType(stringType) }],
    ['t', { type: stringType }],
  ]),
)
const long = 'ab'.repeat(50_000)
const variables = { d: celList([1n, 'a', null, celList([2.5])]), l: celList(new Array(1000).fill('abc')), t: long }
const costLimit = 1_000_000

function outcome(text: string): 'refused' | 'evaluated' | 'failed' | 'spent' {
  try {
    const program = compileCel(text, environment, compileEffort(50_000))
    if ('problem' in program) return 'refused'
    expect(program.mostCost()).toBeGreaterThanOrEqual(0)
    const evaluated = program.evaluate(variables, costLimit)
    if ('value' in evaluated) return 'evaluated'
    return evaluated.isSpent ? 'spent' : 'failed'
  } catch (error) {
    if (error instanceof EffortSpent) return 'refused'
    throw error
  }
}

const doubled = (start: string, step: string, times: number) => `[${start}]${`.map(x, ${step})`.repeat(times)}`

describe('an expression that grows', () => {
  it.each([
    ['a list that is joined with itself', `${doubled('l', 'x + x', 40)}.size() > 0`, 'spent'],
    ['a text that is joined with itself', `${doubled('t', 'x + x', 40)}.size() > 0`, 'spent'],
    ['a replacement that grows', 't.replace("a", t).size() > 0', 'spent'],
    ['a text inserted between all characters', 't.replace("", t).size() > 0', 'spent'],
    ['values that share their parts', `${doubled('1', '[x, x]', 30)} == ${doubled('1', '[x, x]', 30)}`, 'spent'],
    [
      'values that share theirs, of any type',
      `${doubled('dyn(1)', 'dyn([x, x])', 30)} == ${doubled('dyn(1)', 'dyn([x, x])', 30)}`,
      'spent',
    ],
    ['a text of such values', `"%s".format(${doubled('dyn(1)', 'dyn([x, x])', 30)}).size() > 0`, 'spent'],
    ['loops in loops in loops', 'l.all(a, l.all(b, l.all(c, a == b)))', 'spent'],
    ['a pattern that others backtrack in', 't.matches("^(a+)+$")', 'evaluated'],
    ['a pattern that repeats itself', 't.matches("((a{50}){50}){50}")', 'refused'],
    ['a pattern built at runtime', 't.matches(l.map(x, "(a{9}){9}").join())', 'spent'],
    ['pieces of pieces', 'l.map(x, t.split("")).size() > 0', 'spent'],
    ['a chain of optional values', `optional.of(1)${'.optMap(x, x)'.repeat(60)}.hasValue()`, 'refused'],
    ['brackets', `${'('.repeat(1000)}1${')'.repeat(1000)}`, 'refused'],
    ['nested lists', `${'['.repeat(1000)}${']'.repeat(1000)}`, 'refused'],
    ['a long sum', `1${' + 1'.repeat(5000)} > 0`, 'refused'],
    ['many conditions', `true${' && true'.repeat(5000)}`, 'evaluated'],
    ['many zones', 'l.all(x, timestamp("2024-01-01T00:00:00Z").getHours("Europe/Berlin") > 0)', 'spent'],
  ])('%s', (_, text, expected) => {
    expect(outcome(text)).toBe(expected)
  })
})

const words = fc.constantFrom(
  ...[
    'd',
    'l',
    't',
    'x',
    '1',
    '-1',
    '2u',
    '1.5',
    '"a"',
    "b'a'",
    'true',
    'null',
    '[',
    ']',
    '{',
    '}',
    '(',
    ')',
    ',',
    ':',
    '?',
  ],
  ...[
    '+',
    '-',
    '*',
    '/',
    '%',
    '!',
    '==',
    '!=',
    '<',
    '>=',
    '&&',
    '||',
    'in',
    '.',
    '.size()',
    '.all(x, ',
    '.map(x, ',
    '.filter(x, ',
  ],
  ...[
    'has(',
    'd.a',
    '.?a',
    '[?0]',
    'size(',
    'string(',
    'int(',
    'dyn(',
    'type(',
    '.split("")',
    '.join()',
    '.replace("a", "b")',
    '.matches("a")',
  ],
  ...[
    'optional.of(',
    '.orValue(1)',
    'duration("1s")',
    'timestamp("2024-01-01T00:00:00Z")',
    '.getHours()',
    'sets.contains(',
    '.format([d])',
  ],
)

const expressions = Number(process.env.FUZZ_SEQUENCES ?? 300)

describe('a pattern', () => {
  const brackets = '['.repeat(1990)

  it('that is too large costs effort when it is compiled', () => {
    const text = Array.from({ length: 8 }, () => `"".matches("${brackets}{9}")`).join(' || ')
    expect(() => compileCel(text, environment, compileEffort(50_000))).toThrow(EffortSpent)
  })

  it.each([
    ['tables of Unicode', `(?i)[${'\\PL'.repeat(600)}]`],
    ['ranges of any case', `(?i)[${'B-\u{1e942}'.repeat(400)}]`],
  ])('with %s costs as much as they take to compile', (_, source) => {
    const meter = new Meter({ cost: costLimit, work: mostWork })
    expect(() => patternOf(source, meter)).toThrow(BudgetSpent)
  })

  it('costs work each time it fails to compile', () => {
    expect(outcome(`l.all(x, "".matches("${brackets}" + "{9}") || true)`)).toBe('spent')
  })

  it.each([brackets, '(a{999}){999}', 'a'.repeat(3000)])('that is refused is not cached', (source) => {
    const meter = new Meter({ cost: costLimit, work: mostWork })
    expect(patternOf(source, meter)).toMatchObject({ kind: 'failure' })
    expect(meter.patterns.size).toBe(0)
  })
})

describe('the accumulator of a loop', () => {
  it.each(['[1].map(x, dyn(__result__)) == [1]', '[1, 2].all(x, size(dyn(__result__)) == 0)', '[1].map(x, @result)'])(
    'cannot be named: %s',
    (text) => {
      expect(outcome(text)).toBe('refused')
    },
  )
})

describe('an error of compiling', () => {
  it('is short, whatever the expression', () => {
    const text = `${' '.repeat(16_000)}[${'x, '.repeat(100)}x${'y'.repeat(5000)}]`
    const program = compileCel(text, environment, compileEffort(50_000))
    const problem = 'problem' in program ? program.problem : ''
    expect(problem).toContain('91 more errors were truncated')
    expect(problem.length).toBeLessThan(20_000)
  })
})

describe('any text', () => {
  it('is refused or evaluated, and never breaks the evaluation', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 14 }), (parts) => {
        expect(() => outcome(parts.join(' '))).not.toThrow()
      }),
      { numRuns: expressions },
    )
  })

  it('may contain any characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(() => outcome(text)).not.toThrow()
      }),
      { numRuns: expressions },
    )
  })
})
