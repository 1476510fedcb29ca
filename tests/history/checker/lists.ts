import { type History, type List, print, type Sight, type Violation } from './history.ts'
import { leastRevision } from './reads.ts'
import type { Seen } from './seen.ts'
import type { Timeline } from './timeline.ts'

/** A list, with all its pages, is the state at its resourceVersion, and that is as new as requested. */
export function checkLists(history: History, timeline: Timeline, seen: Seen): readonly Violation[] {
  return history.lists.flatMap((list) => [
    ...checkRevision(list, seen),
    ...checkOrder(list),
    ...checkState(list, timeline),
  ])
}

function checkRevision({ id, pages, freshness, startedAt }: List, seen: Seen): readonly Violation[] {
  const [first] = pages
  if (first === undefined) return []
  const least = leastRevision(freshness, seen.before(startedAt))
  const isAsAsked = freshness.state === 'exact' ? first.revision === least : first.revision >= least
  if (isAsAsked) return []
  const text = `${id} asked for ${print(freshness)} when ${seen.before(startedAt)} had been shown, and got ${first.revision}`
  return [{ rule: 'a list is as fresh as asked', text }]
}

function checkOrder({ id, pages }: List): readonly Violation[] {
  const names = pages.flatMap(({ items }) => items.map(({ name }) => name))
  const isSorted = names.every((name, index) => index === 0 || name > (names[index - 1] ?? ''))
  return isSorted ? [] : [{ rule: 'a list is one state', text: `${id} is not in order: ${print(names)}` }]
}

function checkState(list: List, timeline: Timeline): readonly Violation[] {
  const { id, pages, isWhole } = list
  const [first] = pages
  if (first === undefined) return []
  if (pages.some(({ revision }) => revision !== first.revision)) {
    const text = `${id} has pages of ${print(pages.map(({ revision }) => revision))}`
    return [{ rule: 'a list is one state', text }]
  }
  const items = new Map<string, Sight>()
  for (const page of pages) for (const item of page.items) items.set(item.name, item)
  const names = isWhole ? new Set([...timeline.names, ...items.keys()]) : new Set(items.keys())
  return [...names].flatMap((name) => {
    const text = timeline.contradiction(name, first.revision, items.get(name))
    return text === undefined ? [] : [{ rule: 'a list is one state' as const, text: `${id}: ${text}` }]
  })
}
