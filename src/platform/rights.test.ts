import { expect, it } from 'vitest'
import type { ResourceAttributes } from '../api/access.ts'
import { requireAll } from './rights.ts'

const user = { name: 'alice', groups: [] }
const rights = Array.from(
  { length: 1_000 },
  (_, index): ResourceAttributes => ({
    user,
    verb: `verb-${index}`,
    group: '',
    version: '',
    resource: 'projects',
    subresource: '',
    namespace: '',
    name: 'a',
  }),
)
const allowed = { verdict: 'allow', reason: '' } as const

it('thousands of rights are checked in turns', async () => {
  const perTurn = [0]
  const newTurn = () => {
    perTurn.push(0)
    turn = setImmediate(newTurn)
  }
  let turn = setImmediate(newTurn)
  const authorize = () => {
    perTurn[perTurn.length - 1] = (perTurn.at(-1) ?? 0) + 1
    return allowed
  }
  await requireAll({ authorize }, rights)
  clearImmediate(turn)
  expect(perTurn.reduce((sum, each) => sum + each, 0)).toBe(1_000)
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(100)
})

it('no more rights are checked when the caller has gone', async () => {
  const caller = new AbortController()
  let checks = 0
  const authorize = () => {
    checks += 1
    caller.abort()
    return allowed
  }
  await expect(requireAll({ authorize, signal: caller.signal }, rights)).rejects.toThrow()
  expect(checks).toBeLessThanOrEqual(50)
})
