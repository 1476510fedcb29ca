import { expect, it } from 'vitest'
import type { KubeObject } from '../api/object.ts'
import { RecentObjects } from './recent-objects.ts'

let parsed = 0

function parse(): KubeObject {
  parsed++
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }
}

it('a recent object is parsed once', () => {
  const recent = new RecentObjects()
  const [one, other] = [{}, {}]
  parsed = 0
  expect(recent.get(one, 100, parse)).toBe(recent.get(one, 100, parse))
  expect(recent.get(other, 100, parse)).not.toBe(recent.get(one, 100, parse))
  expect(parsed).toBe(2)
})

it('the cache has a limit, and large objects evict no small ones', () => {
  const recent = new RecentObjects()
  const first = {}
  const object = recent.get(first, 1_000, parse)
  for (let each = 0; each < 100; each++) recent.get({}, 100_000, parse)
  expect(recent.get(first, 1_000, parse)).toBe(object)
  for (let each = 0; each < 1_100; each++) recent.get({}, 1_000, parse)
  expect(recent.get(first, 1_000, parse)).not.toBe(object)
})

it('the last few large objects are parsed once', () => {
  const recent = new RecentObjects()
  const large = {}
  const object = recent.get(large, 100_000, parse)
  for (let each = 0; each < 3; each++) recent.get({}, 100_000, parse)
  expect(recent.get(large, 100_000, parse)).toBe(object)
  for (let each = 0; each < 4; each++) recent.get({}, 100_000, parse)
  expect(recent.get(large, 100_000, parse)).not.toBe(object)
})
