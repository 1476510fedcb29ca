import { describe, expect, it } from 'vitest'
import { readAuditPolicy } from './read-policy.ts'

describe('an audit policy', () => {
  it('is a list of rules, or contains one', () => {
    const rules = [{ level: 'none', users: ['ann'], paths: ['/x*'] }, { level: 'metadata' }]
    expect(readAuditPolicy(rules)).toEqual(rules)
    expect(readAuditPolicy({ rules })).toEqual(rules)
  })

  it.each<readonly [unknown, string]>([
    ['x', 'a list of rules'],
    [{}, 'a list of rules'],
    [['x'], 'rules[0] must be an object'],
    [[{ level: 'all' }], 'rules[0].level must be none or metadata'],
    [[{ level: 'none' }, { level: 'none', user: ['x'] }], 'rules[1].user is not known'],
    [[{ level: 'none', verbs: 'get' }], 'rules[0].verbs must be a list of strings'],
    [[{ level: 'none', verbs: [1] }], 'rules[0].verbs must be a list of strings'],
  ])('%j is not one: %s', (value, problem) => {
    expect(() => readAuditPolicy(value)).toThrow(problem)
  })
})
