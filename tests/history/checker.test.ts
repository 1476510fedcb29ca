import { describe, expect, it } from 'vitest'
import { Chance } from '../support/chance.ts'
import { check } from './checker/check.ts'
import type { History, Rule } from './checker/history.ts'
import type { StoreFault } from './planted/faulty-store.ts'
import { simulate } from './planted/simulation.ts'
import * as spoilers from './planted/spoilers.ts'

const seeds = Array.from({ length: 6 }, (_, seed) => seed)

function rulesBrokenIn(history: History): readonly Rule[] {
  return [...new Set(check(history).map(({ rule }) => rule))]
}

describe('the checker', () => {
  it('reports nothing about a correct store', () => {
    for (const seed of seeds) expect(check(simulate(seed)), `seed ${seed}`).toEqual([])
  })

  const faultyStores: readonly (readonly [StoreFault, Rule])[] = [
    ['lost update', 'calls are linearizable'],
    ['lost write', 'calls are linearizable'],
    ['lost deletion', 'calls are linearizable'],
    ['write carried out twice', 'a state has one write'],
    ['refused write carried out', 'a refused write has no effect'],
    ['revision used twice', 'a revision is one change'],
    ['revision goes back', 'revisions only grow'],
    ['resurrected object', 'calls are linearizable'],
    ['stale read', 'reads are current'],
  ]

  it.each(faultyStores)('finds a violation in every history of a store with this fault: %s', (fault, rule) => {
    for (const seed of seeds) expect(rulesBrokenIn(simulate(seed, fault)), `seed ${seed}`).toContain(rule)
  })

  const spoiled: readonly (readonly [string, spoilers.Spoiler, Rule])[] = [
    ['a DELETED told twice', spoilers.doubledDeleted, 'events come in order and once'],
    ['events told again after a resumption', spoilers.replayedEvents, 'events come in order and once'],
    ['events in another order', spoilers.reorderedEvents, 'events come in order and once'],
    ['an event that is missing', spoilers.gapInWatch, 'events have no gap'],
    ['a bookmark ahead of the events', spoilers.bookmarkAhead, 'events come in order and once'],
    ['a DELETED with an older state', spoilers.deletedWithOlderState, 'an event tells what happened'],
    ['an ADDED told as MODIFIED', spoilers.addedToldAsModified, 'an event tells what happened'],
    ['a watch that never catches up', spoilers.watchLeftBehind, 'a watch catches up'],
    ['a list that mixes two states', spoilers.mixedList, 'a list is one state'],
    ['pages of two states', spoilers.pagesOfTwoStates, 'a list is one state'],
    ['an object that is missing in a list', spoilers.missingInList, 'a list is one state'],
    ['a list that is older than what was shown before', spoilers.staleList, 'a list is as fresh as asked'],
  ]

  it.each(spoiled)('finds a single violation in an otherwise correct history: %s', (_, spoil, rule) => {
    for (const seed of seeds) {
      expect(rulesBrokenIn(spoil(simulate(seed), new Chance(seed))), `seed ${seed}`).toContain(rule)
    }
  })
})
