import { expect, it } from 'vitest'
import type { KubeObject } from '../api/object.ts'
import { AlikeWrites } from './alike-writes.ts'

const spec = { containers: [] }
const labels = { app: 'web' }

function pod(name: string, more: Partial<KubeObject['metadata']> = {}, itsSpec: object = spec): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'web-', name, labels, ...more }, spec: itsSpec }
}

it('asks once what becomes of an object, and again when something else has changed', async () => {
  const alike = new AlikeWrites()
  const [first, second] = [pod(''), pod('')]
  let asked = 0
  const mutate = async () => pod(`${++asked}`)
  const became = async (from: KubeObject, revision: number) =>
    (await alike.mutated(from, revision, mutate)).metadata.name
  expect([await became(first, 7), await became(first, 7)]).toEqual(['1', '1'])
  expect(await became(first, 8)).toBe('2')
  expect(await became(second, 8)).toBe('3')
})

it('knows an object to be valid that differs from a valid one in its name alone', () => {
  const alike = new AlikeWrites()
  expect(alike.isKnownToBeValid(pod('web-abcde'))).toBe(false)
  alike.noteValid(pod('web-abcde'))
  expect(alike.isKnownToBeValid(pod('web-fghij'))).toBe(true)
})

it.each([
  ['another spec', pod('web-fghij', {}, { containers: [] })],
  ['no spec', { ...pod('web-fghij'), spec: undefined }],
  ['other labels', pod('web-fghij', { labels: { app: 'web' } })],
  ['annotations', pod('web-fghij', { annotations: {} })],
  ['owners', pod('web-fghij', { ownerReferences: [] })],
  ['finalizers', pod('web-fghij', { finalizers: [] })],
  ['a name that begins in another way', pod('web-fghij', { generateName: 'other-' })],
  ['a name of its own', pod('web-fghij', { generateName: '' })],
])('does not know one to be valid that has %s', (_, object) => {
  const alike = new AlikeWrites()
  alike.noteValid(pod('web-abcde'))
  expect(alike.isKnownToBeValid(object)).toBe(false)
})
