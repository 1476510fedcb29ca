import { describe, expect, it } from 'vitest'
import { configMap } from '../../api/core/config-map.ts'
import { StoredDocument, toStoredBytes } from '../document.ts'
import { parseSelection } from '../selection.ts'
import { ChangeEvent } from './event.ts'
import { visibleEvent } from './visible.ts'

function documentWith(tier: string, revision: number): StoredDocument {
  const metadata = { name: 'a', namespace: 'shop', labels: { tier } }
  const stored = toStoredBytes(configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata }, undefined)
  return new StoredDocument(configMap, { namespace: 'shop', name: 'a' }, stored, revision)
}

const selected = (labelSelector: string) =>
  parseSelection(configMap, '', { labelSelector, fieldSelector: '' }, undefined)

describe('a change that affects only some watchers', () => {
  const event = new ChangeEvent('MODIFIED', documentWith('front', 8), documentWith('back', 7))

  it('is shared by all watchers for which the object starts or stops matching', () => {
    const coming = ['tier=front', 'tier!=back'].map((selector) => visibleEvent(selected(selector), event))
    const going = ['tier=back', 'tier!=front'].map((selector) => visibleEvent(selected(selector), event))
    expect(coming.map((each) => each?.type)).toEqual(['ADDED', 'ADDED'])
    expect(going.map((each) => [each?.type, each?.revision])).toEqual([
      ['DELETED', 8],
      ['DELETED', 8],
    ])
    expect(coming[0]).toBe(coming[1])
    expect(going[0]).toBe(going[1])
    expect(going[0]?.document.object.metadata.labels).toEqual({ tier: 'back' })
  })

  it('is unchanged, or hidden, for other watchers', () => {
    expect(visibleEvent(selected('tier'), event)).toBe(event)
    expect(visibleEvent(selected('tier=none'), event)).toBeUndefined()
  })
})
