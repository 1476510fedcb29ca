import { describe, expect, it } from 'vitest'
import { Awaiting } from './awaiting.ts'

describe('those who wait', () => {
  it('are told once', () => {
    const awaiting = new Awaiting()
    awaiting.add('pods a', 'x')
    awaiting.add('pods b', 'x')
    awaiting.add('pods b', 'y')
    expect([...awaiting.take('x')]).toEqual(['pods a', 'pods b'])
    expect([...awaiting.take('x')]).toEqual([])
    expect([...awaiting.take('y')]).toEqual(['pods b'])
  })

  it('are not told of what they have called off, or of what their kind waited for', () => {
    const awaiting = new Awaiting()
    awaiting.add('pods a', 'x')()
    awaiting.add('pods b', 'x')
    awaiting.add('jobs c', 'x')
    awaiting.forget((owner) => owner.startsWith('pods '))
    expect([...awaiting.take('x')]).toEqual(['jobs c'])
  })

  it('call off nothing of those who came after the news', () => {
    const awaiting = new Awaiting()
    const callOff = awaiting.add('pods a', 'x')
    awaiting.take('x')
    awaiting.add('pods a', 'x')
    callOff()
    expect([...awaiting.take('x')]).toEqual(['pods a'])
  })
})
