import { expect, it } from 'vitest'
import type { Resource } from '../../registry/contract.ts'
import { ListMemory } from './list-memory.ts'

const resource = {} as Resource

/** Whether the list of that question had to be made. */
function isMade(memory: ListMemory, question: string, bytes = 0): boolean {
  let made = false
  memory.remember(resource, question, '1', () => {
    made = true
    return Buffer.alloc(bytes)
  })
  return made
}

it('a list is made once for each state', () => {
  const memory = new ListMemory()
  expect(isMade(memory, 'a')).toBe(true)
  expect(isMade(memory, 'a')).toBe(false)
})

it.each([
  ['large lists', 40, 1024 * 1024],
  ['empty lists, which take memory too', 40_000, 0],
])('the oldest of many is forgotten: %s', (_, count, bytes) => {
  const memory = new ListMemory()
  for (let index = 0; index < count; index += 1) isMade(memory, `q${index}`, bytes)
  expect(isMade(memory, `q${count - 1}`, bytes)).toBe(false)
  expect(isMade(memory, 'q0', bytes)).toBe(true)
})
