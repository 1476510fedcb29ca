import { describe, expect, it } from 'vitest'
import { findings, integer, type Json, schemaOf } from '../../../../tests/support/examples/rules.ts'

describe('an object of a hostile user', () => {
  const many = (rule: Json, length: number) =>
    schemaOf(
      { l: { type: 'array', maxItems: length, items: { ...integer, 'x-kubernetes-validations': [rule] } } },
      'true',
    )
  const numbers = (length: number) => ({ l: Array.from({ length }, (_, at) => at) })

  it('is refused when its rules together exceed the work limit, however low their cost is', () => {
    const doubled = `[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]]${'.map(x, x + x)'.repeat(14)}.size() > 0`
    const { errors } = findings(many({ rule: doubled }, 200), numbers(200))
    expect(errors).toMatchObject([{ field: expect.stringMatching(/^spec\.l\[\d\d\]$/), reason: 'FieldValueInvalid' }])
  })

  it('gets as many warnings as errors at most', () => {
    const schema = many({ rule: 'false', messageExpression: "'no'" }, 500)
    const { errors, warnings } = findings(schema, numbers(500), numbers(500))
    expect(errors).toEqual([])
    expect(warnings).toHaveLength(100)
  })

  it('is refused for a changed field even after the last warning', () => {
    const schema = schemaOf(
      {
        a: { type: 'array', maxItems: 500, items: { ...integer, 'x-kubernetes-validations': [{ rule: 'false' }] } },
        z: { ...integer, 'x-kubernetes-validations': [{ rule: 'self > 10' }] },
      },
      'true',
    )
    const a = numbers(500).l
    expect(findings(schema, { a, z: 2 }, { a, z: 1 }).errors).toMatchObject([{ field: 'spec.z' }])
  })

  it('is refused when message expressions use up the cost budget', () => {
    const loops = ['a', 'b', 'c', 'd', 'e'].map((name) => `[0,1,2,3,4,5,6,7,8,9].all(${name}, `)
    const dear = `'no' + (${loops.join('')}true)))))  ? '' : '!')`
    const { errors } = findings(many({ rule: 'false', messageExpression: dear }, 50), numbers(50), numbers(50))
    expect(errors).toMatchObject([{ message: expect.stringContaining('running out of cost budget') }])
  })

  it('is decoded once, and its untyped content counts toward the work limit', () => {
    const turns = (body: string) => `[0,1,2,3,4,5,6,7,8,9].all(x, [0,1,2,3,4,5,6,7,8,9].all(y, ${body}))`
    const raw = { type: 'string', format: 'byte' }
    const data = { raw: 'YWJj'.repeat(100_000) }
    expect(findings(schemaOf({ raw }, turns('size(self.raw) == 300000')), data).errors).toEqual([])
    const any = { 'x-kubernetes-preserve-unknown-fields': true }
    const hidden = () => ({ any: Array.from({ length: 2000 }, (_, at) => ({ at })) })
    const same = findings(schemaOf({ any }, turns('self == oldSelf')), hidden(), hidden())
    expect(same.errors).toMatchObject([{ message: expect.stringContaining('actual cost limit exceeded') }])
  })

  it('counts the characters of long items in sets', () => {
    const set = { type: 'array', maxItems: 2, 'x-kubernetes-list-type': 'set', items: { type: 'string' } }
    const joined = '[0,1,2,3,4,5,6,7,8,9].all(x, size(self.set + self.set) == 2)'
    const texts = ['a', 'b'].map((letter) => letter.repeat(1_000_000))
    expect(findings(schemaOf({ set }, joined), { set: texts }).errors).toMatchObject([
      { message: expect.stringContaining('actual cost limit exceeded') },
    ])
  })
})
