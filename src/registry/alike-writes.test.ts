import { expect, it } from 'vitest'
import type { KubeObject } from '../api/object.ts'
import { AlikeWrites } from './alike-writes.ts'

const spec = { containers: [] }
const labels = { app: 'web' }

function pod(name: string, more: Partial<KubeObject['metadata']> = {}, itsSpec: object = spec): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'web-', name, labels, ...more }, spec: itsSpec }
}

it('mutates equal objects once, and again after a change of the cluster', async () => {
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

it('skips validation of an object that differs from a valid one only in its name', () => {
  const alike = new AlikeWrites()
  expect(alike.isKnownToBeValid(pod('web-bcdfg'))).toBe(false)
  alike.noteValid(pod('web-bcdfg'))
  expect(alike.isKnownToBeValid(pod('web-hjklm'))).toBe(true)
})

it.each([
  ['another spec', pod('web-hjklm', {}, { containers: [] })],
  ['no spec', { ...pod('web-hjklm'), spec: undefined }],
  ['other labels', pod('web-hjklm', { labels: { app: 'web' } })],
  ['annotations', pod('web-hjklm', { annotations: {} })],
  ['owners', pod('web-hjklm', { ownerReferences: [] })],
  ['finalizers', pod('web-hjklm', { finalizers: [] })],
  ['a name that begins in another way', pod('web-hjklm', { generateName: 'other-' })],
  ['no beginning of names', pod('web-hjklm', { generateName: '' })],
  ['a name of its own', pod('../../nodes/n')],
  ['a name of its own that begins alike', pod('web-../n1')],
])('validates an object that has %s', (_, object) => {
  const alike = new AlikeWrites()
  alike.noteValid(pod('web-bcdfg'))
  expect(alike.isKnownToBeValid(object)).toBe(false)
})
