import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../base/steps.ts'
import { virtualClustersWith } from './virtual-clusters.ts'

const instance = (name: string, status: object) => {
  const object = { apiVersion: 'v1', kind: 'VirtualClusterInstance', metadata: { name }, status }
  return { namespace: 'p-shop', name, object, contains: (text: string) => JSON.stringify(object).includes(text) }
}
const used = (name: string, lastMs: number, resource = 'virtualclusterinstances/register') => ({
  verb: 'create',
  group: 'g',
  path: '',
  target: '',
  namespace: 'p-shop',
  name,
  resource,
  lastMs,
})
const bearersOf = (instances: readonly object[], uses: readonly object[]) =>
  // Only the fields that are read are set.
  atOnce(Reflect.apply(virtualClustersWith, undefined, ['shared', instances, uses]))

describe('virtual clusters that have a key', () => {
  it('are those linked with it, even if no use is recorded', () => {
    const linked = instance('a', { link: { accessKey: 'shared' }, lastHeartbeat: '2026-01-01T00:00:00Z' })
    const other = instance('b', { link: { accessKey: 'another' } })
    expect(bearersOf([linked, other, instance('c', {})], [])).toEqual([
      { project: 'shop', name: 'a', linked: true, last: '2026-01-01T00:00:00Z' },
    ])
  })

  it('are those that used it, each once, with the latest use', () => {
    const uses = [used('a', 1000), used('a', 3000, 'virtualclusterinstances'), used('b', 2000, 'users'), used('', 1)]
    expect(bearersOf([], uses)).toEqual([{ project: 'shop', name: 'a', linked: false, last: '1970-01-01T00:00:03Z' }])
  })

  it('are listed once when they are linked and have used it', () => {
    const linked = instance('a', { link: { accessKey: 'shared' }, lastHeartbeat: '2026-01-01T00:00:00Z' })
    expect(bearersOf([linked], [used('a', 1000)])).toHaveLength(1)
  })
})
