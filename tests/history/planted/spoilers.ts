import type { Chance } from '../../support/chance.ts'
import {
  type Follow,
  type History,
  isWrite,
  type List,
  type Sight,
  type Step,
  type WatchEvent,
} from '../checker/history.ts'

/** Takes a correct history and returns one with one wrong answer. */
export type Spoiler = (history: History, chance: Chance) => History

export function doubledDeleted(history: History, chance: Chance): History {
  return spoilFollow(
    history,
    chance,
    ({ type }) => type === 'DELETED',
    (step) => [step, step],
  )
}

/** Omits an event whose change other answers show as well, with others after it. */
export function gapInWatch(history: History, chance: Chance): History {
  const isChosen = ({ type }: WatchEvent, index: number, steps: readonly Step[]) =>
    type !== 'DELETED' && index < steps.length / 2
  return spoilFollow(history, chance, isChosen, () => [])
}

/** Repeats events after a resumption, with others in between. */
export function replayedEvents(history: History): History {
  return changeFollow(history, (follow) => {
    const middle = Math.floor(follow.steps.length / 2)
    const before = follow.steps.slice(0, middle)
    const again = before.filter(({ is }) => is === 'event').slice(-3)
    const resumed: Step = { is: 'resumed', at: 0, server: 'other' }
    return { ...follow, steps: [...before, resumed, ...again, ...follow.steps.slice(middle)] }
  })
}

export function reorderedEvents(history: History, chance: Chance): History {
  return changeFollow(history, (follow) => {
    const events = follow.steps.filter(({ is }) => is === 'event')
    const index = Math.floor(chance.next() * (events.length - 1))
    const [first, second] = [events[index], events[index + 1]]
    const swapped = follow.steps.map((step) => (step === first ? second : step === second ? first : step))
    return { ...follow, steps: swapped.filter((step) => step !== undefined) }
  })
}

export function deletedWithOlderState(history: History, chance: Chance): History {
  return spoilFollow(
    history,
    chance,
    ({ type }) => type === 'DELETED',
    (step) => [{ ...step, sight: { ...step.sight, data: { ...step.sight.data, last: 'older' } } }],
  )
}

export function addedToldAsModified(history: History, chance: Chance): History {
  return spoilFollow(
    history,
    chance,
    ({ type }) => type === 'ADDED',
    (step) => [{ ...step, type: 'MODIFIED' }],
  )
}

/** A bookmark ahead of the reported events. */
export function bookmarkAhead(history: History): History {
  return changeFollow(history, (follow) => {
    const middle = Math.floor(follow.steps.length / 2)
    const later = follow.steps.slice(middle).filter(({ is }) => is === 'event')
    const ahead = later[2]?.is === 'event' ? later[2].sight.revision : 0
    const bookmark: Step = { is: 'bookmark', at: later[0]?.at ?? 0, revision: ahead }
    return { ...follow, steps: [...follow.steps.slice(0, middle), bookmark, ...follow.steps.slice(middle)] }
  })
}

/** Shows one item in an earlier state. */
export function mixedList(history: History, chance: Chance): History {
  return changeList(history, chance, (list) => {
    const items = itemsOf(list).map((item, index) => (index === 0 ? olderThan(history, item) : item))
    return { ...list, pages: list.pages.map((page) => ({ ...page, items })) }
  })
}

/** The second page shows the next state. */
export function pagesOfTwoStates(history: History, chance: Chance): History {
  return changeList(history, chance, (list) => {
    const [first, ...rest] = itemsOf(list)
    const [page] = list.pages
    if (first === undefined || page === undefined) return list
    return {
      ...list,
      pages: [
        { ...page, items: [first] },
        { ...page, revision: page.revision + 1, items: rest },
      ],
    }
  })
}

export function missingInList(history: History, chance: Chance): History {
  return changeList(history, chance, (list) => ({
    ...list,
    pages: list.pages.map((page) => ({ ...page, items: page.items.slice(1) })),
  }))
}

/** A correct list that is older than what its client had seen. */
export function staleList(history: History): History {
  const [first] = history.lists.filter(({ freshness }) => freshness.state === 'latest')
  const last = history.lists.at(-1)
  if (first === undefined || last === undefined) return history
  const pages = first.pages.map((page) => ({ ...page, at: last.startedAt + 0.1 }))
  return { ...history, lists: [...history.lists, { ...last, id: 'stale', pages }] }
}

export function watchLeftBehind(history: History): History {
  return changeFollow(history, (follow) => ({ ...follow, end: 'behind' }))
}

function spoilFollow(
  history: History,
  chance: Chance,
  isChosen: (event: WatchEvent, index: number, steps: readonly Step[]) => boolean,
  spoil: (event: WatchEvent) => readonly Step[],
): History {
  return changeFollow(history, (follow) => {
    const choices = follow.steps.filter(
      (step, index, steps): step is WatchEvent => step.is === 'event' && isChosen(step, index, steps),
    )
    const chosen = choices[Math.floor(chance.next() * choices.length)]
    return {
      ...follow,
      steps: follow.steps.flatMap((step) => (step === chosen && step.is === 'event' ? spoil(step) : [step])),
    }
  })
}

/** Changes the first one: it existed from the beginning, so it has events. */
function changeFollow(history: History, change: (follow: Follow) => Follow): History {
  return { ...history, follows: history.follows.map((follow, index) => (index === 0 ? change(follow) : follow)) }
}

/** Changes a list that shows several objects, one of which had another state before. */
function changeList(history: History, chance: Chance, change: (list: List) => List): History {
  const choices = history.lists.filter((list) => {
    const [first, second] = itemsOf(list)
    return first !== undefined && second !== undefined && olderThan(history, first) !== first
  })
  const chosen = choices[Math.floor(chance.next() * choices.length)]
  return { ...history, lists: history.lists.map((list) => (list === chosen ? change(list) : list)) }
}

function itemsOf({ pages }: List): readonly Sight[] {
  return pages.flatMap(({ items }) => items)
}

function olderThan({ calls }: History, item: Sight): Sight {
  const older = calls.flatMap(({ action, outcome }) => {
    if (!isWrite(action) || outcome.is !== 'done' || outcome.sight === undefined) return []
    return outcome.sight.name === item.name && outcome.sight.revision < item.revision ? [outcome.sight] : []
  })
  return older.at(-1) ?? item
}
