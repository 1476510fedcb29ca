import { expect, it } from 'vitest'
import type { BackupSource } from '../../backup/envelope/header.ts'
import { requirePartSource, requireWantedSource, type WantedSource } from './wanted-source.ts'

const platform: BackupSource = { type: 'platform', name: 'local', uid: 'u' }
const web: BackupSource = { type: 'virtualCluster', name: 'shop/web', uid: 'u' }
const demo: BackupSource = { type: 'cluster', name: 'tenant_demo', uid: 'u' }

it.each<[string, BackupSource, WantedSource]>([
  ['the platform, where nothing is named', platform, {}],
  ['a virtual cluster by its name', web, { virtualCluster: 'web' }],
  ['a virtual cluster by its project too', web, { virtualCluster: 'web', project: 'shop' }],
  ['a cluster by its context', demo, { context: 'tenant_demo' }],
  ['a cluster of a kubeconfig', demo, { kubeconfig: 'file' }],
  ['any, where the operator says so', web, { anotherCluster: true }],
])('a store is filled with %s', (_, source, wanted) => {
  expect(() => requireWantedSource('nightly', source, wanted)).not.toThrow()
})

it.each<[string, BackupSource, WantedSource, RegExp]>([
  ['a virtual cluster as the platform', web, {}, /of the virtual cluster shop\/web, and not of the platform: pass/],
  ['a cluster as the platform', demo, {}, /of the cluster tenant_demo, and not of the platform/],
  ['the platform as a virtual cluster', platform, { virtualCluster: 'web' }, /not of the virtual cluster web/],
  ['another virtual cluster', web, { virtualCluster: 'eb' }, /not of the virtual cluster eb/],
  ['one of another project', web, { virtualCluster: 'web', project: 'bank' }, /not of the virtual cluster bank\/web/],
  ['a virtual cluster as a cluster', web, { context: 'shop/web' }, /not of the cluster shop\/web/],
])('a store is not filled with %s', (_, source, wanted, refusal) => {
  expect(() => requireWantedSource('nightly', source, wanted)).toThrow(refusal)
})

it('objects of a backup are not restored into another virtual cluster, whatever uid that one claims', () => {
  const claimed = { type: 'virtualCluster', name: 'shop/web', uid: 'the-uid-of-the-platform' } as const
  const into = (wanted: object) => () => requirePartSource('shop-web-1', claimed, wanted)
  expect(into({})).toThrow('is a backup of the virtual cluster shop/web, and not of the platform')
  expect(into({ virtualCluster: 'api', project: 'shop' })).toThrow('and not of the virtual cluster shop/api')
  expect(into({ virtualCluster: 'web', project: 'other' })).toThrow('and not of the virtual cluster other/web')
  expect(into({ virtualCluster: 'web', project: 'shop' })).not.toThrow()
  expect(into({ virtualCluster: 'web' })).not.toThrow()
  expect(into({ context: 'tenant_web' })).not.toThrow()
  expect(into({ anotherCluster: true })).not.toThrow()
})
