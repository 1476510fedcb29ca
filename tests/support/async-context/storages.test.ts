import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it } from 'vitest'
import { endStorages } from './storages.ts'

describe('what follows promises', () => {
  it('is ended for all who use it, and begins again with the next use', () => {
    const [entered, run] = [new AsyncLocalStorage<string>(), new AsyncLocalStorage<string>()]
    entered.enterWith('first')
    run.run('first', () => {
      expect([entered.getStore(), run.getStore()]).toEqual(['first', 'first'])
      endStorages()
      expect([entered.getStore(), run.getStore()]).toEqual([undefined, undefined])
    })
    expect(run.run('second', () => run.getStore())).toBe('second')
  })
})
