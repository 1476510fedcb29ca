import { expect, it } from 'vitest'
import { Bag } from './bag.ts'

function itemsOf(bag: Bag<string>): readonly string[] {
  return [...bag].map(({ item }) => item).sort()
}

function filled(...items: readonly string[]) {
  const bag = new Bag<string>()
  return { bag, places: items.map((item) => bag.add(item)) }
}

it.each([
  [[0], ['b', 'c']],
  [[1], ['a', 'c']],
  [[2], ['a', 'b']],
  [[0, 2], ['b']],
  [[2, 0], ['b']],
  [[0, 1, 2], []],
])('only the removed item leaves the bag: %j', (taken, left) => {
  const { bag, places } = filled('a', 'b', 'c')
  for (const index of taken) expect(bag.remove(places[index] ?? bag.add('none'))).toBe(true)
  expect(itemsOf(bag)).toEqual(left)
  expect(bag.size).toBe(left.length)
})

it('an item is removed once, even if another item has taken its place', () => {
  const { bag, places } = filled('a', 'b')
  const [first = bag.add('none')] = places
  expect(bag.remove(first)).toBe(true)
  expect(bag.remove(first)).toBe(false)
  bag.add('c')
  expect(bag.remove(first)).toBe(false)
  expect(itemsOf(bag)).toEqual(['b', 'c'])
})

it('an item that is removed during an iteration is not visited', () => {
  const { bag, places } = filled('a', 'b', 'c')
  const seen: string[] = []
  for (const { item } of bag) {
    seen.push(item)
    for (const place of places.slice(0, 2)) bag.remove(place)
  }
  expect(seen).toEqual(['a', 'c'])
  expect(itemsOf(bag)).toEqual(['c'])
})
