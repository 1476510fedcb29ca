import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fullNameOf, ObjectsByName } from '../../console/src/live/objects-by-name.ts'
import { mapped } from '../../console/src/table/use-mapped.ts'

const objectOf = (name: string, resourceVersion = '1', namespace?: string) => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name, resourceVersion, ...(namespace === undefined ? {} : { namespace }) },
})

describe('objects that change while they are shown', () => {
  it('are those that were added and not removed, in any order', () => {
    const change = fc.record({ isPut: fc.boolean(), name: fc.constantFrom(...'abcdef'), version: fc.nat() })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const objects = new ObjectsByName()
        const expected = new Map<string, unknown>()
        for (const { isPut, name, version } of changes) {
          const object = objectOf(name, String(version))
          if (isPut) objects.put(object)
          else objects.remove(object)
          if (isPut) expected.set(name, object)
          else expected.delete(name)
        }
        expect(new Set(objects.all())).toEqual(new Set(expected.values()))
        expect(objects.size).toBe(expected.size)
      }),
    )
  })

  it('keep their position when they change, and earlier lists are immutable', () => {
    const objects = new ObjectsByName()
    for (const name of ['a', 'b', 'c']) objects.put(objectOf(name))
    const before = objects.all()
    expect(objects.all()).toBe(before)
    objects.put(objectOf('b', '2'))
    objects.remove(objectOf('a'))
    expect(objects.all().map(fullNameOf)).toEqual(['c', 'b'])
    expect(before.map(fullNameOf)).toEqual(['a', 'b', 'c'])
  })

  it('are distinguished by namespace, and removed if a new list lacks them', () => {
    const objects = new ObjectsByName()
    for (const namespace of ['x', 'y']) objects.put(objectOf('a', '1', namespace))
    objects.retain(new Set(['y/a']))
    expect(objects.all().map(fullNameOf)).toEqual(['y/a'])
  })

  it('are converted to rows once for each version', () => {
    const [a, b, c] = [objectOf('a'), objectOf('b'), objectOf('b', '2')]
    const rowOf = (object: object) => ({ object })
    const first = mapped([a, b], { from: [], to: [] }, rowOf)
    const second = mapped([a, c], { from: [a, b], to: first }, rowOf)
    expect(second[0]).toBe(first[0])
    expect(second[1]).toEqual({ object: c })
  })
})
