import { expect, test } from 'vitest'
import { mayContain, sharedMemory } from './memory.ts'

test('an allocation has the requested length and overlaps no other', () => {
  const memory = sharedMemory()
  const lengths = [...Array.from({ length: 500 }, (_, index) => (index * 37) % 900), 8_192, 100_000, 1]
  const pieces = lengths.map((length, index) => {
    const { block, start } = memory(length)
    return block.subarray(start, start + length).fill(index % 251)
  })
  expect(pieces.map(({ length }) => length)).toEqual(lengths)
  const broken = pieces.filter((piece, index) => piece.some((byte) => byte !== index % 251))
  expect(broken).toEqual([])
})

test('a large object gets its own memory', () => {
  const memory = sharedMemory()
  expect(memory(100_000).block).toHaveLength(100_000)
  expect(memory(100).block).toBe(memory(100).block)
})

test('text in a block is found, even if the block was searched before it was full', () => {
  const memory = sharedMemory()
  const write = (text: string) => {
    const { block, start } = memory(text.length)
    block.write(text, start, 'latin1')
    return block
  }
  const blocks = Array.from({ length: 300 }, (_, index) => {
    const block = write(`object ${index}`.padEnd(1_000, '.'))
    return mayContain(block, 'needle') ? block : undefined
  })
  const holder = write('a needle')
  while (memory(1_000).block === holder) mayContain(holder, 'needle')
  expect(mayContain(holder, 'needle')).toBe(true)
  const others = blocks.filter((block) => block !== undefined && block !== holder)
  expect(others.filter((block) => block !== undefined && mayContain(block, 'object 299'))).toEqual([])
})
