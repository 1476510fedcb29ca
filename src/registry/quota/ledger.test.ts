import { describe, expect, it } from 'vitest'
import { Ledger } from './ledger.ts'

const one = { objects: 1, bytes: 10 }

describe('a ledger', () => {
  it('counts a reservation until it is released, once', () => {
    const ledger = new Ledger({ objects: 1, bytes: 1_000 })
    const { release } = ledger.reserve('ann', 'a', one)
    expect(ledger.shortage('ann', one)).toEqual({ unit: 'objects', requested: 1, used: 1, limit: 1 })
    release()
    release()
    expect(ledger.held('ann')).toEqual({ objects: 0, bytes: 0 })
  })

  it('counts a stored object once, before and after its reservation is released', () => {
    const ledger = new Ledger({ objects: 2, bytes: 1_000 })
    const { release } = ledger.reserve('ann', 'a', one)
    ledger.stored('ann', 'a', { objects: 1, bytes: 12 })
    expect(ledger.held('ann')).toEqual({ objects: 1, bytes: 12 })
    release()
    expect(ledger.held('ann')).toEqual({ objects: 1, bytes: 12 })
  })

  it('keeps the reservation of an object that replaces a deleted one', () => {
    const ledger = new Ledger({ objects: 2, bytes: 1_000 })
    ledger.stored('ann', 'a', one)
    ledger.reserve('ann', 'a', one)
    ledger.stored('ann', 'a', { objects: -1, bytes: -10 })
    expect(ledger.held('ann')).toEqual(one)
    ledger.stored('ann', 'a', one)
    expect(ledger.held('ann')).toEqual(one)
  })

  it('applies a changed limit, and keeps its counts', () => {
    const ledger = new Ledger({ objects: 2, bytes: 1_000 })
    ledger.stored('ann', 'a', one)
    ledger.limitTo({ objects: 0, bytes: 1_000 })
    expect(ledger.held('ann')).toEqual(one)
    expect(ledger.shortage('ann', one)).toMatchObject({ used: 1, limit: 0 })
    ledger.limitTo({ objects: 2, bytes: 1_000 })
    expect(ledger.shortage('ann', one)).toBeUndefined()
  })

  it('counts each account separately', () => {
    const ledger = new Ledger({ objects: 1, bytes: 1_000 })
    ledger.stored('ann', 'a', one)
    expect(ledger.shortage('bob', one)).toBeUndefined()
  })

  it('limits bytes too, but never a change that adds none', () => {
    const ledger = new Ledger({ objects: 9, bytes: 15 })
    ledger.stored('ann', 'a', { objects: 1, bytes: 20 })
    expect(ledger.shortage('ann', one)).toEqual({ unit: 'bytes', requested: 10, used: 20, limit: 15 })
    expect(ledger.shortage('ann', { objects: 0, bytes: 0 })).toBeUndefined()
  })
})
