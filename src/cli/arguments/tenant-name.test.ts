import { describe, expect, it } from 'vitest'
import { tenantNameProblem } from './tenant-name.ts'

describe('the name of a tenant', () => {
  it.each(['demo', 'a', `a${'b'.repeat(49)}`, 'a-1'])('can be %s', (name) => {
    expect(tenantNameProblem(name)).toBeUndefined()
  })

  it.each(['', 'Demo', '1a', 'a.b', 'a-', `a${'b'.repeat(50)}`, '../x', 'a b'])('cannot be %j', (name) => {
    expect(tenantNameProblem(name)).toEqual(expect.any(String))
  })
})
