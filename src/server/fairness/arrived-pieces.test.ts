import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ArrivedPieces } from './arrived-pieces.ts'

const tiny = Buffer.from('x')
/** Pieces count from so many on. */
const group = 32

describe('what a stream holds', () => {
  it('is hardly more than its bytes if they arrive in large pieces', () => {
    const stream = new PassThrough()
    const arrived = new ArrivedPieces(stream)
    for (let count = 0; count < 10; count += 1) stream.push(Buffer.alloc(10_000))
    expect(arrived.heldBytes).toBe(100_000)
  })

  it('is many times its bytes if they arrive one by one', () => {
    const stream = new PassThrough()
    const arrived = new ArrivedPieces(stream)
    for (let count = 0; count < 1_000; count += 1) stream.push(tiny)
    expect(arrived.heldBytes).toBeGreaterThan(200_000)
  })

  it('is nothing once all of it is read, and counts anew from then on', async () => {
    const stream = new PassThrough()
    const arrived = new ArrivedPieces(stream)
    for (let count = 0; count < 1_000; count += 1) stream.push(tiny)
    stream.resume()
    await nextTurn()
    expect(arrived.heldBytes).toBe(0)
    stream.pause()
    for (let count = 0; count < group; count += 1) stream.push(tiny)
    expect(arrived.heldBytes).toBeGreaterThan(group * 100)
  })

  it('is less with each part that is read', () => {
    const stream = new PassThrough()
    const arrived = new ArrivedPieces(stream)
    for (let count = 0; count < 1_000; count += 1) stream.push(tiny)
    const before = arrived.heldBytes
    stream.read(500)
    expect(arrived.heldBytes).toBeLessThan(before * 0.6)
    expect(arrived.heldBytes).toBeGreaterThan(before * 0.4)
  })

  it('includes what had arrived before', () => {
    const stream = new PassThrough()
    stream.push(Buffer.alloc(5_000))
    expect(new ArrivedPieces(stream).heldBytes).toBe(5_000)
  })
})
