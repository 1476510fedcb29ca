import { describe, expect, it } from 'vitest'
import { parseName } from '../names/names.ts'
import { importMapping } from './mapping.ts'

const mapping = importMapping({
  'shared/ca': 'default/ca-bundle',
  'shared/*': 'imported/*',
  'single/one': 'default/one',
  'cluster-*': 'tenant-*',
})

describe('a mapping of imports', () => {
  it.each([
    ['shared/ca', 'default/ca-bundle'],
    ['shared/other', 'imported/other'],
    ['single/one', 'default/one'],
    ['cluster-issuer', 'tenant-issuer'],
  ])('leads from %s to %s and back', (host, virtual) => {
    expect(mapping.virtualOf(parseName(host))).toEqual(parseName(virtual))
    expect(mapping.hostOf(parseName(virtual))).toEqual(parseName(host))
  })

  it.each(['single/two', 'elsewhere/ca', 'cluster-a/b'])('has no target for %s', (host) => {
    expect(mapping.virtualOf(parseName(host))).toBeUndefined()
  })

  it('does not lead back to what a more specific entry maps elsewhere', () => {
    expect(mapping.hostOf({ namespace: 'imported', name: 'ca' })).toBeUndefined()
  })

  it('watches no more than it needs', () => {
    expect(mapping.sources).toEqual(
      expect.arrayContaining([{ namespace: 'shared' }, { namespace: 'single', name: 'one' }, {}]),
    )
    expect(mapping.sources).toHaveLength(3)
  })
})
