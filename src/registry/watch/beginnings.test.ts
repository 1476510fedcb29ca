import { expect, it } from 'vitest'
import { type BeginningPart, SharedBeginnings } from './beginnings.ts'

/** Three parts with that many bytes each. Records which were read. */
function source(bytes = 1) {
  const read: string[] = []
  const next = (afterKey: string | undefined): BeginningPart => {
    const key = String(Number(afterKey ?? 0) + 1)
    read.push(key)
    return { events: [], bytes, afterKey: key === '3' ? undefined : key }
  }
  return { read, next }
}

const kind = {}

it('reads the initial state once for all watches with the same view', () => {
  const beginnings = new SharedBeginnings()
  const [first, second] = [source(), source()]
  const parts = [...beginnings.begin(kind, 'a', first.next)]
  expect([...beginnings.begin(kind, 'a', second.next)]).toEqual(parts)
  expect(parts).toHaveLength(3)
  expect([first.read, second.read]).toEqual([['1', '2', '3'], []])
})

it('reads it again for another view or kind, and after a change', () => {
  const beginnings = new SharedBeginnings()
  const all = [source(), source(), source(), source()]
  const [first, ofView, ofKind, later] = all.map(({ next }) => next)
  const expectRead = (begun: Iterable<unknown>) => expect([...begun]).toHaveLength(3)
  if (!first || !ofView || !ofKind || !later) throw new Error('There are four.')
  expectRead(beginnings.begin(kind, 'a', first))
  expectRead(beginnings.begin(kind, 'b', ofView))
  expectRead(beginnings.begin({}, 'a', ofKind))
  beginnings.forget(kind)
  expectRead(beginnings.begin(kind, 'a', later))
  expect(all.map(({ read }) => read.length)).toEqual([3, 3, 3, 3])
})

it('continues with its initial state after a change', () => {
  const beginnings = new SharedBeginnings()
  const before = source()
  const begun = beginnings.begin(kind, 'a', before.next)
  begun.next()
  beginnings.forget(kind)
  expect([...begun]).toHaveLength(2)
  expect(before.read).toEqual(['1', '2', '3'])
})

it('has a size limit, and room again after it forgets a kind', () => {
  const beginnings = new SharedBeginnings()
  const half = 2 * 1024 * 1024
  const large = source(half)
  for (let count = 0; count < 2; count += 1) expect([...beginnings.begin(kind, 'a', large.next)]).toHaveLength(3)
  expect(large.read).toEqual(['1', '2', '3', '3'])
  beginnings.forget(kind)
  const [otherKind, other] = [{}, source(half)]
  for (let count = 0; count < 2; count += 1) expect([...beginnings.begin(otherKind, 'a', other.next)]).toHaveLength(3)
  expect(other.read).toEqual(['1', '2', '3', '3'])
})
