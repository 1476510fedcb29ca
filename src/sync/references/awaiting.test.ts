import { describe, expect, it } from 'vitest'
import { Awaiting } from './awaiting.ts'

describe('owners that wait', () => {
  it('are notified once', () => {
    const awaiting = new Awaiting()
    awaiting.add('pods a', 'x')
    awaiting.add('pods b', 'x')
    awaiting.add('pods b', 'y')
    expect([...awaiting.take('x')]).toEqual(['pods a', 'pods b'])
    expect([...awaiting.take('x')]).toEqual([])
    expect([...awaiting.take('y')]).toEqual(['pods b'])
  })

  it('are not notified about targets they no longer wait for, or of another kind', () => {
    const awaiting = new Awaiting()
    awaiting.add('pods a', 'x')()
    awaiting.add('pods b', 'x')
    awaiting.add('jobs c', 'x')
    awaiting.forget((owner) => owner.startsWith('pods '))
    expect([...awaiting.take('x')]).toEqual(['jobs c'])
  })

  it('do not remove owners that were added after the change', () => {
    const awaiting = new Awaiting()
    const callOff = awaiting.add('pods a', 'x')
    awaiting.take('x')
    awaiting.add('pods a', 'x')
    callOff()
    expect([...awaiting.take('x')]).toEqual(['pods a'])
  })
})
