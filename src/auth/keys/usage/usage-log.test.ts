import { describe, expect, it } from 'vitest'
import { exampleUse } from '../../../../tests/support/examples/use.ts'
import { mostUsesPerKey } from './merge-uses.ts'
import { UsageLog } from './usage-log.ts'

const use = exampleUse
const waitMs = 1000
const emptyLog = (mostInAll = 1_000_000) => new UsageLog({ waitMs, mostInAll })

describe('uses of keys that are not stored yet', () => {
  it('contain every kind of use once, with its latest time', () => {
    const log = emptyLog()
    log.record('one', use, 1)
    log.record('one', { ...use, verb: 'list' }, 2)
    log.record('one', { ...use }, 3)
    log.record('two', use, 4)
    expect(log.of('one')).toEqual([
      { ...use, lastMs: 3 },
      { ...use, verb: 'list', lastMs: 2 },
    ])
    expect(log.of('two')).toEqual([{ ...use, lastMs: 4 }])
    expect(log.of('unknown')).toEqual([])
  })

  it('are due once they have waited, however often the key is used', () => {
    const log = emptyLog()
    for (let at = 0; at < waitMs; at += 100) {
      log.record('one', use, at)
      expect(log.due(at)).toEqual([])
    }
    log.record('two', use, waitMs - 1)
    expect(log.due(waitMs)).toEqual(['one'])
    log.take('one')
    log.record('one', use, waitMs + 1)
    expect(log.due(2 * waitMs)).toEqual(['two'])
    expect(log.uids()).toEqual(['two', 'one'])
  })

  it('are due early, longest waiting first, if there are too many in total', () => {
    const log = emptyLog(3)
    for (const [at, uid] of ['one', 'two', 'three'].entries()) {
      log.record(uid, use, at)
      log.record(uid, { ...use, verb: 'list' }, at)
    }
    expect(log.due(10)).toEqual(['one', 'two'])
    log.take('one')
    log.take('two')
    expect(log.due(10)).toEqual([])
  })

  it('wait again, together with later ones, if they could not be stored', () => {
    const log = emptyLog()
    log.record('one', use, 5)
    log.record('one', { ...use, verb: 'list' }, 5)
    const taken = log.take('one')
    expect(log.of('one')).toEqual([])
    log.record('one', use, 9)
    log.putBack('one', taken, 10)
    expect(log.of('one')).toEqual([
      { ...use, lastMs: 9 },
      { ...use, verb: 'list', lastMs: 5 },
    ])
    expect(log.due(9 + waitMs)).toEqual(['one'])
  })

  it('are folded above the limit, and further uses count for the folded one', () => {
    const log = emptyLog()
    log.record('one', { ...use, verb: 'list' }, 0)
    for (let at = 1; at <= 10 * mostUsesPerKey; at++) log.record('one', { ...use, name: `n${at}` }, at)
    expect(log.of('one')).toEqual([
      { ...use, name: '*', lastMs: 10 * mostUsesPerKey },
      { ...use, verb: 'list', lastMs: 0 },
    ])
    log.forget('one')
    log.record('one', { ...use, name: 'n' }, 1)
    expect(log.of('one')).toEqual([{ ...use, name: 'n', lastMs: 1 }])
  })

  it('never contain a key that a client sent in place of a name', () => {
    const log = emptyLog()
    const value = `tpk_0123456789ab_${'x'.repeat(49)}`
    log.record('one', { ...use, name: value, namespace: value, group: value, resource: value, target: value }, 1)
    log.record('one', { ...use, path: `/x/${value}` }, 1)
    expect(JSON.stringify(log.of('one'))).not.toContain('xxx')
    expect(JSON.stringify(log.take('one'))).not.toContain('xxx')
  })
})
