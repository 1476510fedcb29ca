import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ByteCollector } from './byte-collector.ts'

it('returns the added bytes unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (pieces) => {
      const given = pieces.map((piece) => Buffer.from(piece))
      const collector = new ByteCollector()
      for (const piece of given) collector.add(piece)
      const all = Buffer.concat(given)
      expect(collector.length).toBe(all.length)
      expect(collector.last(5)).toEqual(all.subarray(Math.max(0, all.length - 5)))
      expect(collector.take()).toEqual(all)
      expect(collector.take()).toEqual(Buffer.alloc(0))
      expect(given).toEqual(pieces.map((piece) => Buffer.from(piece)))
    }),
  )
})

it('does not retain the added chunks, however many there are', () => {
  const collector = new ByteCollector()
  const before = process.memoryUsage()
  for (let count = 0; count < 1_000_000; count++) collector.add(Buffer.from('x'))
  const after = process.memoryUsage()
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(64 * 1024 * 1024)
  expect(collector.take()).toHaveLength(1_000_000)
})
