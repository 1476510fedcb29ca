import { describe, expect, it } from 'vitest'
import { schemaEffort } from '../schema-effort.ts'
import type { SchemaNode } from '../schema-node.ts'
import { schemaErrors } from './check-schema.ts'

function problems(field: SchemaNode): readonly string[] {
  const schema = { type: 'object', properties: { a: field } }
  return schemaErrors(schema, 's').map((each) => `${each.field.replace('s.properties[a]', 'a')}: ${each.message}`)
}

describe('schemas that cost much to check', () => {
  it('may have very many list map keys', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `k${index}`)
    const list = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': names,
    }
    expect(problems({ ...list, items: { type: 'object', properties: {} } })).toHaveLength(100)
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
    expect(problems({ ...list, items: { type: 'object', properties, required: names } })).toEqual([])
  })

  const large = 'x{1000}'.repeat(30)

  it('have a total size limit for patterns, over all versions of a definition', () => {
    const effort = schemaEffort()
    const schemaOf = (pattern: string) => ({ type: 'object', properties: { a: { type: 'string', pattern } } })
    expect(schemaErrors(schemaOf('x{1000}'.repeat(285)), 's')).toMatchObject([{ reason: 'FieldValueForbidden' }])
    const found = ['a', 'b', 'c', 'd', 'e'].map((text) => schemaErrors(schemaOf(text + large), 's', { effort }).length)
    expect(found).toEqual([0, 0, 0, 1, 1])
  })

  it.each([
    ['tables of Unicode', `(?i)[${'\\PL'.repeat(600)}]`],
    ['ranges of any case', `(?i)[${'B-\u{1e942}'.repeat(400)}]`],
    ['ranges of any case, by number', `(?i)[${'\\x{42}-\\x{1e942}'.repeat(110)}]`],
    ['brackets', '('.repeat(990) + ')'.repeat(990)],
    ['an end that is missing', `(?i)[${'\\PL'.repeat(600)}`],
  ])('have such a limit for %s, which are few steps but much to compile', (_, pattern) => {
    const properties = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`p${at}`, { type: 'string', pattern: `${at}${pattern}` }]),
    )
    const found = schemaErrors({ type: 'object', properties }, 's')
    expect(found.filter(({ reason }) => reason === 'FieldValueForbidden').length).toBeGreaterThan(70)
  })

  it('may repeat a pattern any number of times', () => {
    const properties = Object.fromEntries([...'abcdefgh'].map((name) => [name, { type: 'string', pattern: large }]))
    expect(schemaErrors({ type: 'object', properties }, 's')).toEqual([])
  })

  it('may have a thousand different patterns', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 1_001 }, (_, at) => [`p${1_000 + at}`, { type: 'string', pattern: `a${at}` }]),
    )
    expect(schemaErrors({ type: 'object', properties }, 's').map(({ field }) => field)).toEqual([
      's.properties[p2000].pattern',
    ])
  })

  it('may have defaults that their rules cannot check within the cost limit', () => {
    const pairs = 'self.all(x, self.all(y, x == y || x != y))'
    const numbers = Array.from({ length: 400 }, (_, at) => at)
    const list = {
      type: 'array',
      maxItems: 500,
      items: { type: 'integer' },
      default: numbers,
      'x-kubernetes-validations': [{ rule: pairs }],
    }
    expect(problems(list)).toEqual([])
  })

  it('have their rules compiled once, however many defaults contain them', () => {
    const small = { rule: Array.from({ length: 10 }, () => 'self < 5').join(' && ') }
    const rules = [...Array.from({ length: 40 }, () => small), { rule: 'self > 5' }]
    let schema: SchemaNode = { type: 'integer', default: 3, 'x-kubernetes-validations': rules }
    for (let depth = 0; depth < 60; depth++) schema = { type: 'object', default: {}, properties: { b: schema } }
    expect(problems(schema)).toEqual([
      `a${'.properties[b]'.repeat(60)}.default: Invalid value: "integer": failed rule: self > 5`,
    ])
  })

  it('have one cost budget for all defaults', () => {
    const text = 'x'.repeat(2000)
    const costly = { type: 'string', pattern: '(x{1000}|y{1000}|z)+$', default: text }
    const properties = Object.fromEntries(Array.from({ length: 95 }, (_, index) => [`p${index}`, costly]))
    expect(problems({ type: 'object', properties })).toEqual([
      expect.stringContaining('it takes too long to hold this object'),
    ])
  })
})
