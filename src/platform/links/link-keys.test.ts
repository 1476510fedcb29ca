import { expect, it } from 'vitest'
import { eventually } from '../../../tests/support/eventually.ts'
import { type CarriedByKey, LinkKeys } from './link-keys.ts'

const shared = {
  keyName: 'shared',
  keyUid: 'uid-1',
  keyId: 'id-1',
  isRevoked: false,
  revoked: new AbortController().signal,
}

function links(count: number): readonly (CarriedByKey & { readonly reasons: unknown[] })[] {
  return Array.from({ length: count }, () => {
    const reasons: unknown[] = []
    return { reasons, revoked: (reason: unknown) => void reasons.push(reason), cut: () => {} }
  })
}

const told = (all: ReturnType<typeof links>) => all.filter(({ reasons }) => reasons.length > 0).length
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

it('cuts all links of a revoked value, and keeps those of other values', async () => {
  const keys = new LinkKeys()
  const [value, other] = [new AbortController(), new AbortController()]
  const [cut, kept] = [links(250), links(3)]
  for (const link of cut) keys.carry(link, shared, value.signal)
  for (const link of kept) keys.carry(link, shared, other.signal)
  expect(keys.countOf('uid-1')).toBe(253)
  value.abort('revoked')
  await eventually(() => expect(told(cut)).toBe(250))
  expect(cut.map(({ reasons }) => reasons)).toEqual(cut.map(() => ['revoked']))
  expect(kept.map(({ reasons }) => reasons)).toEqual([[], [], []])
})

it('yields to the event loop while it cuts', async () => {
  const keys = new LinkKeys()
  const value = new AbortController()
  const cut = links(1_000)
  for (const link of cut) keys.carry(link, shared, value.signal)
  value.abort('revoked')
  const atOnce = told(cut)
  await nextTurn()
  expect(atOnce).toBeLessThan(200)
  expect(told(cut)).toBeLessThan(1_000)
  await eventually(() => expect(told(cut)).toBe(1_000))
  expect(cut.every(({ reasons }) => reasons.length === 1)).toBe(true)
})

it('keeps a link that another key has carried since, even one that waits for its turn', async () => {
  const keys = new LinkKeys()
  const value = new AbortController()
  const all = links(500)
  const drops = all.map((link) => keys.carry(link, shared, value.signal))
  value.abort('revoked')
  drops.at(-1)?.()
  await eventually(() => expect(told(all)).toBe(499))
  expect(all.at(-1)?.reasons).toEqual([])
  expect(all.filter(({ reasons }) => reasons.length === 1).length).toBe(499)
})

it('refuses links of a void value at once', () => {
  const keys = new LinkKeys()
  const [link] = links(1)
  if (link === undefined) throw new Error('there is one')
  keys.carry(link, shared, AbortSignal.abort('too late'))
  expect(link.reasons).toEqual(['too late'])
  expect(keys.countOf('uid-1')).toBe(0)
})

it('remembers nothing about closed links', () => {
  const keys = new LinkKeys()
  const value = new AbortController()
  const [first, second] = links(2)
  if (first === undefined || second === undefined) throw new Error('there are two')
  const drops = [keys.carry(first, shared, value.signal), keys.carry(second, shared, value.signal)]
  for (const drop of drops) drop()
  expect(keys.countOf('uid-1')).toBe(0)
  value.abort('revoked')
  expect([...first.reasons, ...second.reasons]).toEqual([])
})

it('tells all links before it cuts the first, and reports that it is cutting until all are cut', async () => {
  const keys = new LinkKeys()
  const value = new AbortController()
  const events: string[] = []
  const link = { revoked: () => void events.push('told'), cut: () => void events.push('cut') }
  const drop = keys.carry(link, shared, value.signal)
  const others = Array.from({ length: 300 }, () => keys.carry({ ...link }, shared, value.signal))
  value.abort('revoked')
  expect(keys.isCutting).toBe(true)
  await expect.poll(() => events.length).toBe(602)
  expect(events.slice(0, 301)).toEqual(Array(301).fill('told'))
  expect(keys.isCutting).toBe(true)
  for (const each of [drop, ...others]) each()
  expect(keys.isCutting).toBe(false)
})
