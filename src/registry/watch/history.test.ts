import { describe, expect, it } from 'vitest'
import { configMap } from '../../api/core/config-map.ts'
import { StoredDocument, toStoredBytes } from '../document.ts'
import { ChangeEvent } from './event.ts'
import { History } from './history.ts'

function documentOf(bytes: number, revision: number): StoredDocument {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'x'.repeat(bytes) } }
  const stored = toStoredBytes(configMap, object, undefined)
  return new StoredDocument(configMap, { namespace: 'shop', name: 'a' }, stored, revision)
}

describe('the latest changes of a kind', () => {
  it('keep their encoded lines only if they are recent', () => {
    const history = new History()
    history.restart(0)
    const events = Array.from({ length: 100 }, (_, index) => new ChangeEvent('ADDED', documentOf(1, index), undefined))
    const [oldest] = events
    const newest = events.at(-1)
    const lines = [oldest?.parts[0], newest?.parts[0]]
    history.append(events)
    expect(newest?.parts[0]).toBe(lines[1])
    expect(oldest?.parts[0]).not.toBe(lines[0])
    expect(oldest?.parts[0]).toEqual(lines[0])
  })

  it('are fewer if previous objects also take memory', () => {
    const megabyte = 1024 * 1024
    const eventsOf = (hasPrevious: boolean) => {
      const history = new History()
      history.restart(0)
      for (let revision = 1; revision <= 10; revision += 1) {
        const previous = hasPrevious ? documentOf(megabyte, revision - 1) : undefined
        history.append([new ChangeEvent('MODIFIED', documentOf(megabyte, revision), previous)])
      }
      return [history.after(0).length, history.reachesBackTo(7), history.reachesBackTo(6)]
    }
    expect(eventsOf(false)).toEqual([7, true, true])
    expect(eventsOf(true)).toEqual([3, true, false])
  })

  it('are forgotten up to a revision, and none after it', () => {
    const history = new History()
    history.restart(0)
    history.append([1, 3, 5, 7].map((revision) => new ChangeEvent('ADDED', documentOf(1, revision), undefined)))
    history.forgetUpTo(4)
    expect(history.reachesBackTo(2)).toBe(false)
    expect(history.reachesBackTo(3)).toBe(true)
    expect(history.after(3).map(({ revision }) => revision)).toEqual([5, 7])
    history.forgetUpTo(9)
    expect(history.after(7)).toEqual([])
    expect(history.reachesBackTo(7)).toBe(true)
    history.append([new ChangeEvent('ADDED', documentOf(1, 11), undefined)])
    expect(history.after(7).map(({ revision }) => revision)).toEqual([11])
  })
})
