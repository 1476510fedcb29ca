import { expect, it } from 'vitest'
import { type HeldSession, sessionsToEnd } from './sessions-to-end.ts'

const held = (name: string, startedWith: string, usedMs: number): HeldSession => ({
  name,
  uid: name,
  startedWith,
  usedMs,
})
const namesOf = (sessions: readonly HeldSession[]) => sessions.map(({ name }) => name)

it('of sessions of one key, the one that was unused for longest ends, and never the newest', () => {
  const all = [held('a', 'key', 2), held('b', 'key', 1), held('c', 'key', 3), held('new', 'key', 0)]
  expect(namesOf(sessionsToEnd(all, 'new', 4))).toEqual([])
  expect(namesOf(sessionsToEnd(all, 'new', 3))).toEqual(['b'])
  expect(namesOf(sessionsToEnd(all, 'new', 1))).toEqual(['b', 'a', 'c'])
  expect(namesOf(sessionsToEnd(all, 'new', 0))).toEqual(['b', 'a', 'c'])
})

it('a key that starts session after session ends its own, however long another was unused', () => {
  const own = [held('console', 'identity corp', 1), held('laptop', 'full', 2)]
  const flood = Array.from({ length: 48 }, (_, at) => held(`flood-${at}`, 'narrow', 100 + at))
  expect(namesOf(sessionsToEnd([...own, ...flood, held('new', 'narrow', 999)], 'new', 50))).toEqual(['flood-0'])
})

it('a key that starts session after session gets an even share at most', () => {
  const own = Array.from({ length: 30 }, (_, at) => held(`own-${at}`, 'identity corp', at))
  let all = own
  for (let at = 0; at < 100; at += 1) {
    const begun = [...all, held(`flood-${at}`, 'narrow', 100 + at)]
    const ended = new Set(namesOf(sessionsToEnd(begun, `flood-${at}`, 50)))
    all = begun.filter(({ name }) => !ended.has(name))
  }
  expect(all).toHaveLength(50)
  expect(namesOf(all).filter((name) => name.startsWith('own'))).toEqual(namesOf(own.slice(5)))
})

it('among keys that have started as many, the session that was unused for longest ends', () => {
  const all = [held('a', 'one', 5), held('b', 'two', 3), held('new', 'three', 9)]
  expect(namesOf(sessionsToEnd(all, 'new', 2))).toEqual(['b'])
})
