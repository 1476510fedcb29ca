import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { KeyOwner } from '../../../auth/keys/contract.ts'
import { KeysByOwner } from './keys-by-owner.ts'

const owners: readonly KeyOwner[] = [
  { kind: 'user', name: 'ann' },
  { kind: 'team', name: 'ann' },
  { kind: 'subject', name: '__proto__' },
]
const step = fc.record({
  owner: fc.constantFrom(...owners),
  name: fc.constantFrom('a', 'b', 'c'),
  isThere: fc.boolean(),
})

it('knows the keys of each owner after any adding and removing', () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const keysByOwner = new KeysByOwner()
      const expected = new Map(owners.map((owner) => [owner, new Set<string>()]))
      for (const { owner, name, isThere } of steps) {
        const names = expected.get(owner)
        if (!isThere) keysByOwner.remove(owner, name)
        else if (names?.has(name) === false) keysByOwner.add(owner, name)
        if (isThere) names?.add(name)
        else names?.delete(name)
      }
      for (const [owner, names] of expected) expect(keysByOwner.namesOf([owner]).toSorted()).toEqual([...names].sort())
    }),
  )
})

it('contains no keys without an owner', () => {
  const keysByOwner = new KeysByOwner()
  keysByOwner.add(undefined, 'a')
  keysByOwner.remove(undefined, 'a')
  expect(keysByOwner.namesOf(owners)).toEqual([])
})
