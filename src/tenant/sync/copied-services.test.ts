import { expect, it } from 'vitest'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import type { TenantConfig } from '../../api/tenant-config/types.ts'
import type { Informer, InformerOptions } from '../../client/contract.ts'
import { CopiedServices } from './copied-services.ts'

const identity = { tenant: 'demo', hostNamespace: 'tenant-demo' }
const byName = { enabled: true, mappings: { byName: { default: 'team' } } }
const off: TenantConfig = { sync: { toHost: { services: { enabled: false } } } }
const spread: TenantConfig = { sync: { toHost: { namespaces: byName } } }

/** What is followed on the host now: a namespace, or all. */
function following(config: TenantConfig) {
  const open = new Set<string>()
  const informer = (_: unknown, { namespace = 'all' }: InformerOptions = {}): Informer => {
    open.add(namespace)
    return {
      whenSynced: async () => {},
      isSynced: true,
      get: () => undefined,
      all: () => [],
      size: 0,
      indexed: () => [],
      hasIndexed: () => false,
      onChange: () => () => {},
      learn: () => {},
      learnGone: () => {},
      trouble: undefined,
      stop: () => void open.delete(namespace),
    }
  }
  const copied = new CopiedServices({ informer }, identity, effectiveConfig(config))
  return { open, copied, reconfigure: (next: TenantConfig) => copied.reconfigure(effectiveConfig(next)) }
}

it('copies are followed while Services are synced, even if that is decided later', () => {
  const { open, copied, reconfigure } = following(off)
  expect([...open]).toEqual([])
  expect(copied.addressOf({ namespace: 'default', name: 'web' })).toBeUndefined()
  reconfigure({})
  expect([...open]).toEqual(['tenant-demo'])
  reconfigure(off)
  expect([...open]).toEqual([])
})

it('in the namespaces that contain them', () => {
  const { open, copied, reconfigure } = following({})
  expect([...open]).toEqual(['tenant-demo'])
  reconfigure(spread)
  expect([...open]).toEqual(['all'])
  copied.stop()
  expect([...open]).toEqual([])
})
