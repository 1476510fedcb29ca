import { expect, it } from 'vitest'
import type { KubeObject } from '../api/object.ts'
import { RecentObjects } from './recent-objects.ts'

let parsed = 0

function parse(): KubeObject {
  parsed++
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }
}

it('an object is parsed once while it is recent', () => {
  const recent = new RecentObjects()
  const [one, other] = [{ bytes: 100 }, { bytes: 100 }]
  parsed = 0
  expect(recent.get(one, parse)).toBe(recent.get(one, parse))
  expect(recent.get(other, parse)).not.toBe(recent.get(one, parse))
  expect(parsed).toBe(2)
})

it('what is kept is bounded, and a large object is not kept at all', () => {
  const recent = new RecentObjects()
  const first = { bytes: 1_000 }
  const large = { bytes: 100_000 }
  const object = recent.get(first, parse)
  expect(recent.get(large, parse)).not.toBe(recent.get(large, parse))
  expect(recent.get(first, parse)).toBe(object)
  for (let each = 0; each < 1_100; each++) recent.get({ bytes: 1_000 }, parse)
  expect(recent.get(first, parse)).not.toBe(object)
})
