import { describe, expect, it } from 'vitest'
import { type CelOutcome, compileCel } from '../../cel/compile.ts'
import { compileEffort } from '../../cel/compile-effort.ts'
import { withVariables } from '../../cel/environment.ts'
import { mostWork } from '../../cel/meter.ts'
import { dynType } from '../../cel/type.ts'
import { kubernetesEnvironment, mostExpressionCost } from './environment.ts'
import { jsonCelValue } from './json-value.ts'

const environment = withVariables(
  kubernetesEnvironment,
  new Map([
    ['object', { type: dynType }],
    ['oldObject', { type: dynType }],
  ]),
)

function evaluated(text: string, object: unknown, work?: number): CelOutcome {
  const program = compileCel(text, environment, compileEffort(50_000))
  if ('problem' in program) throw new Error(program.problem)
  const variables = { object: jsonCelValue(object), oldObject: jsonCelValue(object) }
  return program.evaluate(variables, mostExpressionCost, work)
}

const digits = '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]'
const turns = (times: number, body: string): string =>
  times === 0 ? body : `${digits}.all(x${times}, ${turns(times - 1, body)})`

/** Counts how often the names of an object are listed. */
function watched(data: Readonly<Record<string, unknown>>) {
  let looks = 0
  const proxy = new Proxy(data, {
    ownKeys: (target) => {
      looks++
      return Reflect.ownKeys(target)
    },
  })
  return { proxy, looks: () => looks }
}

const large = Object.fromEntries(Array.from({ length: 24_000 }, (_, index) => [`k${index}`, 'v']))
const long = 'a'.repeat(1_400_000)

describe('the content of an object', () => {
  it.each([
    'has(object.data.x) || true',
    'size(object.data) > 0',
    'object.data.exists(k, true)',
    'object.data == object.data',
  ])('is listed once, however often it is read: %s', (body) => {
    const { proxy, looks } = watched({ a: '1', b: '2' })
    expect(evaluated(turns(3, body), { data: proxy })).toMatchObject({ value: true })
    expect(looks()).toBeLessThanOrEqual(2)
  })

  it('costs work when it is enumerated', () => {
    const outcome = evaluated('object.data.exists(k, true)', { data: large })
    expect(outcome.work).toBeGreaterThan(24_000)
    expect(outcome.work).toBeLessThan(mostWork / 2)
  })
})

describe('an evaluation with many iterations', () => {
  it.each([
    ['texts in lists', '[object.a] == [object.b]', { a: long, b: `${long.slice(1)}a` }],
    ['a text in a list', 'object.a in [object.b]', { a: long, b: `${long.slice(1)}a` }],
    ['sets of texts', 'sets.contains([object.a], [object.b])', { a: long, b: `${long.slice(1)}a` }],
    ['a text as a key', '!(object.a in object)', { a: long }],
    ['keys of maps', 'size({object.a: 1}) == 1', { a: long }],
    ['paths that are escaped', "url(object.u).getEscapedPath() != ''", { u: `/${'é'.repeat(2000)}` }],
    ['texts that are URLs', 'isURL(object.u)', { u: `/${'é'.repeat(2000)}` }],
    ['queries', 'size(url(object.u).getQuery()) > 0', { u: `/?${'a&'.repeat(1000)}` }],
    ['maps', 'object.data == oldObject.data', { data: large }],
    ['letters', "object.a.lowerAscii() != ''", { a: 'aAé'.repeat(10_000) }],
  ])('exceeds its work limit: %s', (_, body, object) => {
    const outcome = evaluated(turns(3, body), object)
    expect(outcome).toMatchObject({ isSpent: true })
    expect(outcome.work).toBeGreaterThan(mostWork)
  })
})

describe('an evaluation', () => {
  it('stops at its work limit', () => {
    const once = evaluated('object.l + object.l == []', { l: [1, 2, 3] })
    expect(once).toMatchObject({ value: false })
    expect(once.work).toBeGreaterThan(5)
    expect(evaluated('object.l + object.l == []', { l: [1, 2, 3] }, once.work)).toMatchObject({ value: false })
    expect(evaluated('object.l + object.l == []', { l: [1, 2, 3] }, once.work - 1)).toMatchObject({ isSpent: true })
  })

  it('escapes half of a surrogate pair in a path', () => {
    expect(evaluated("url(object.u).getEscapedPath() == '/%EF%BF%BD'", { u: '/\ud800' })).toMatchObject({ value: true })
  })

  it('shortens a missing key in its error', () => {
    const outcome = evaluated('object[object.a] == 1', { a: long })
    expect('problem' in outcome && outcome.problem.length).toBeLessThan(300)
  })

  it('exceeds its work limit on deeply nested values', () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 200_000; depth++) deep = [deep]
    const program = compileCel('object == oldObject', environment, compileEffort(50_000))
    if ('problem' in program) throw new Error(program.problem)
    let other: unknown = 1
    for (let depth = 0; depth < 200_000; depth++) other = [other]
    const variables = { object: jsonCelValue(deep), oldObject: jsonCelValue(other) }
    expect(program.evaluate(variables, mostExpressionCost)).toMatchObject({ isSpent: true })
  })
})

describe('a quantity', () => {
  it('is an integer only within 64 bits', () => {
    const sum = "quantity('9E').add(quantity('9E'))"
    expect(evaluated(`${sum}.isInteger()`, {})).toMatchObject({ value: false })
    expect(evaluated(`${sum}.asInteger() > 0`, {})).toMatchObject({ problem: 'cannot convert value to integer' })
    expect(evaluated("quantity('9E').asInteger() == 9000000000000000000", {})).toMatchObject({ value: true })
  })
})
