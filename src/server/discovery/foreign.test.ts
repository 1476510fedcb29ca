import { expect, it } from 'vitest'
import type { AggregatedApi } from '../../registry/aggregation/contract.ts'
import { readResourceList } from '../../registry/aggregation/resource-list.ts'
import { DiscoveryDocuments } from './documents.ts'
import { withAggregated } from './foreign.ts'

function apiOf(resources: AggregatedApi['resources']): AggregatedApi {
  return {
    name: 'v1.example.com',
    group: 'example.com',
    version: 'v1',
    isAvailable: true,
    resources,
    forward: () => Promise.reject(new Error('nothing is passed on')),
  }
}

const shownOf = (resources: AggregatedApi['resources']) => withAggregated({ groups: [] }, [apiOf(resources)])

it('the answers of a hostile server are limited in discovery', () => {
  const verbs = Array.from({ length: 50 }, (_, index) => `${index}`.padStart(36, 'v'))
  const text = JSON.stringify({
    resources: [
      ...Array.from({ length: 250 }, () => ({ name: 'a', kind: 'K' })),
      ...Array.from({ length: 250 }, () => ({ name: 'a/b', kind: 'K', verbs })),
    ],
  })
  const { body } = new DiscoveryDocuments().of(shownOf(readResourceList(text)), 'others', 'v2')
  expect(body.length).toBeLessThan(100_000)
})

it('subresources are listed with their resources', () => {
  const resources = readResourceList(
    JSON.stringify({ resources: ['b', 'a', 'a/status', 'ab', 'ab/scale', 'c/d'].map((name) => ({ name, kind: 'K' })) }),
  )
  const [version] = shownOf(resources).groups[0]?.versions ?? []
  expect(version?.foreign).toBe('reached')
  expect(version?.resources.map(({ plural, subresources }) => [plural, subresources.map(({ name }) => name)])).toEqual([
    ['b', []],
    ['a', ['status']],
    ['ab', ['scale']],
  ])
})

it('an API that is not known yet is not shown as complete', () => {
  expect(shownOf(undefined).groups[0]?.versions[0]).toEqual({ version: 'v1', foreign: 'stale', resources: [] })
})

it('a document is built once for its content', () => {
  const documents = new DiscoveryDocuments()
  const catalog = shownOf([])
  const document = documents.of(catalog, 'others', 'v2')
  expect(documents.of(catalog, 'others', 'v2')).toBe(document)
  expect(documents.of(catalog, 'core', 'v2').etag).not.toBe(document.etag)
  expect(documents.of(catalog, 'others', 'v2beta1').etag).not.toBe(document.etag)
  expect(documents.of(shownOf([]), 'others', 'v2')).not.toBe(document)
})
