import { describe, expect, it } from 'vitest'
import { mintKey } from '../../../src/auth/keys/values/key-value.ts'
import { systemRandom } from '../../../src/base/random.ts'
import type { Place } from './place.ts'
import type { Counts, Finding } from './run-folder.ts'
import { Watcher } from './watcher.ts'

const create: Place = { at: 'answer', method: 'POST', path: '/apis/m/v1/ownedaccesskeys' }
const log: Place = { at: 'log' }
const minted = () => mintKey(systemRandom)

function startWatcher() {
  const findings: Finding[] = []
  const kept: Counts[] = []
  const folder = {
    add: (finding: Finding) => findings.push(finding),
    keep: (_: string, counts: Counts) => kept.push(counts),
    findings: () => findings,
    counts: () => kept,
  }
  const watcher = new Watcher({ folder, processName: 'p', test: () => 'a test' })
  return { watcher, findings, kept }
}

describe('the watch over key values', () => {
  it('finds a value wherever it is split, once', () => {
    const { value, keyId } = minted()
    const text = `before ${value} after`
    for (let cut = 1; cut < text.length; cut += 1) {
      const { watcher, findings } = startWatcher()
      const look = watcher.follow(() => log)
      look(text.slice(0, cut))
      look(Buffer.from(text.slice(cut)))
      expect(findings, `cut at ${cut}`).toEqual([
        { test: 'a test', place: 'log', what: `tpk_${keyId}… (minted, plain)` },
      ])
    }
  })

  it('finds a value that arrives byte by byte', () => {
    const { watcher, findings } = startWatcher()
    const look = watcher.follow(() => log)
    for (const character of `x${minted().value}`) look(character)
    expect(findings).toHaveLength(1)
  })

  it('allows it in the response that creates it, and in no later one', () => {
    const { watcher, findings } = startWatcher()
    const { value } = minted()
    const answer = JSON.stringify({ spec: { key: value } })
    watcher.look(create, answer)
    expect(findings).toEqual([])
    watcher.look(create, answer)
    expect(findings).toMatchObject([{ what: expect.stringContaining('for a second time') }])
  })

  it('requires tests to declare the values that they bring', () => {
    const { watcher, findings } = startWatcher()
    watcher.look(create, JSON.stringify({ spec: { key: 'a-value-of-which-nobody-knows-that-it-is-one' } }))
    expect(findings).toMatchObject([{ what: expect.stringContaining('broughtValue()') }])
  })

  it('counts what it has seen', () => {
    const { watcher, kept } = startWatcher()
    watcher.look(create, minted().value)
    watcher.look(log, 'x'.repeat(10))
    watcher.keepCounts()
    expect(kept.at(-1)).toMatchObject({ shown: 1, looks: { log: [1, 10], answer: [1, 66], file: [0, 0] } })
  })

  it('reports when it cannot search, and does not throw', () => {
    const { watcher, findings } = startWatcher()
    watcher.safely(() => {
      throw new Error('broken')
    })
    expect(findings).toMatchObject([{ place: 'the canary itself', what: expect.stringContaining('broken') }])
  })
})
