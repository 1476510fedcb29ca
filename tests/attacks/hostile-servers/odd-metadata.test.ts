import { describe, expect, test } from 'vitest'
import type { KubeObject } from '../../../src/api/object.ts'
import { configMaps } from '../../client/client-of.ts'
import { eventually } from '../../support/eventually.ts'
import { attackBy, key, listOf, objectNamed } from './support/hostile-server.ts'

const namesOf = (objects: Iterable<KubeObject>) => Array.from(objects, ({ metadata }) => metadata.name).sort()

/** Whatever follows an object would call methods on these, in the middle of a loop or beyond any promise. */
const odd: readonly (readonly [problem: string, metadata: object])[] = [
  ['name is no text', { name: ['odd'] }],
  ['namespace is no text', { namespace: 5 }],
  ['uid is no text', { uid: {} }],
  ['resourceVersion is no text', { resourceVersion: 7 }],
  ['deletionTimestamp is no text', { deletionTimestamp: 1 }],
  ['labels is no map of texts', { labels: { a: { b: 'c' } } }],
  ['annotations is no map of texts', { annotations: ['x'] }],
  ['finalizers is no list of texts', { finalizers: 'x' }],
  ['ownerReferences is no list of objects', { ownerReferences: [null] }],
]

const oddObject = (metadata: object) => {
  const { metadata: usual, ...rest } = objectNamed('odd', '11')
  return { ...rest, metadata: { ...usual, ...metadata } }
}

describe('an object whose metadata has another form than in Kubernetes', () => {
  test.each(odd)('is left out of a list, and the others are read: its %s', async (problem, metadata) => {
    const { client } = await attackBy((response, { path }) => {
      if (path.includes('watch=true')) response.flushHeaders()
      else response.writeHead(200).end(listOf([oddObject(metadata), objectNamed('plain')]))
    })
    const problems: string[] = []
    const informer = client.informer(configMaps, { onUnreadable: (each) => problems.push(each.problem) })
    await informer.whenSynced()
    expect([namesOf(informer.all()), problems]).toEqual([['plain'], [`has metadata whose ${problem}`]])
  })

  test.each(odd)('is an error for the caller who asks for it: its %s', async (problem, metadata) => {
    const { client } = await attackBy((response) => response.writeHead(200).end(JSON.stringify(oddObject(metadata))))
    await expect(client.get(configMaps, key)).rejects.toThrow(`has metadata whose ${problem}`)
  })

  test('is left out of a watch, which continues', async () => {
    const oddOnes = odd.filter(([, metadata]) => !('resourceVersion' in metadata)).map(([, each]) => oddObject(each))
    const events = [...oddOnes, objectNamed('plain', '12')]
    const { client } = await attackBy((response, { path }) => {
      if (!path.includes('watch=true')) return response.writeHead(200).end(listOf([objectNamed('first', '5')]))
      for (const object of events) response.write(`${JSON.stringify({ type: 'ADDED', object })}\n`)
    })
    const informer = client.informer(configMaps)
    await eventually(() => expect(namesOf(informer.all())).toEqual(['first', 'plain']))
  })
})

test('members of metadata that are null count as absent', async () => {
  const nothing = Object.fromEntries(['labels', 'finalizers', 'deletionTimestamp'].map((each) => [each, null]))
  const { client } = await attackBy((response) => response.writeHead(200).end(JSON.stringify(oddObject(nothing))))
  expect((await client.get(configMaps, key)).metadata).toEqual(objectNamed('odd', '11').metadata)
})
