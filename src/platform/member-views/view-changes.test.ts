import { describe, expect, it } from 'vitest'
import { ViewChanges } from './view-changes.ts'

describe('changes of visibility', () => {
  it('concern users with one of the names, and no others', () => {
    const changes = new ViewChanges()
    const [ann, bob] = [changes.of(['name ann', 'group crew']), changes.of(['name bob'])]
    changes.changed(['group crew'], 7)
    expect([ann.latest(), bob.latest()]).toEqual([7, 0])
    changes.changedForAll(9)
    expect([ann.latest(), bob.latest()]).toEqual([9, 9])
  })

  it('are reported once to each listener, until it stops', () => {
    const changes = new ViewChanges()
    const told: string[] = []
    const stop = changes.of(['name ann', 'group crew']).listen(() => {
      told.push('ann')
      stop()
    })
    changes.of(['name bob']).listen(() => told.push('bob'))
    changes.changed(['name ann', 'group crew'], 1)
    changes.changedForAll(2)
    changes.changed(['name bob'], 3)
    expect(told).toEqual(['ann', 'bob', 'bob'])
  })

  it('of too many users become one for all, and none is forgotten', () => {
    const changes = new ViewChanges()
    const first = changes.of(['name 0'])
    const uninvolved = changes.of(['name other'])
    for (let user = 0; user <= 10_000; user++) changes.changed([`name ${user}`], user + 1)
    expect(first.latest()).toBe(10_001)
    expect(uninvolved.latest()).toBe(10_001)
  })
})
