import { describe, expect, it } from 'vitest'
import { exampleUse } from '../../../../tests/support/examples/use.ts'
import { decodedUses, encodedUses } from './stored-usage.ts'

const use = { ...exampleUse, lastMs: 7 }
const uses = [use, { ...use, resource: '__proto__', name: 'constructor' }, { ...use, lastMs: 1_900_000_000_123 }]
const anything = { verb: '*', resource: '*', namespace: '*', name: '*', target: '*' }

describe('the stored form of a record of uses', () => {
  it('is read as it was written', () => {
    expect(decodedUses(encodedUses(uses))).toEqual(uses)
    expect(decodedUses(encodedUses([]))).toEqual([])
  })

  it('takes few bytes for repeated content', () => {
    const names = Array.from({ length: 100 }, (_, at) => ({ ...use, name: `name-${at}`, lastMs: 1_900_000_000_000 }))
    expect(encodedUses(names).length / names.length).toBeLessThan(50)
  })

  it.each([
    '',
    'nonsense',
    '{}',
    'null',
    '[1]',
    '[["get"],[[0]]]',
    '[["a"],[[0,0,0,0,0,0,9,1]]]',
    '[[1],[[0,0,0,0,0,0,0,1]]]',
  ])('of %j counts as a use of anything, not as none', (text) => {
    expect(decodedUses(Buffer.from(text))).toEqual([expect.objectContaining(anything)])
  })
})
