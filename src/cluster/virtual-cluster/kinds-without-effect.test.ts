import { expect, it } from 'vitest'
import { configMap } from '../../api/core/config-map.ts'
import { persistentVolume } from '../../api/core/volumes/persistent-volume.ts'
import type { Kind } from '../../api/kind.ts'
import { ingress } from '../../api/networking/ingress.ts'
import { networkPolicy } from '../../api/networking/network-policy.ts'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import { kindsWithoutEffect } from './kinds-without-effect.ts'

function warnings(kind: Kind, toHost: object): readonly string[] {
  const told: string[] = []
  const plugin = kindsWithoutEffect(() => effectiveConfig({ sync: { toHost } }).sync.toHost)
  const request = { warn: (text: string) => told.push(text) }
  if (plugin.handles(kind)) plugin.inspect?.({} as never, { kind, request } as never)
  return told
}

it.each([
  ['a NetworkPolicy', networkPolicy, {}, ['it isolates no Pods']],
  ['a NetworkPolicy that is synced', networkPolicy, { networkPolicies: { enabled: true } }, []],
  ['an Ingress', ingress, {}, ['only an ingress controller inside the virtual cluster']],
  ['an Ingress that is synced', ingress, { ingresses: { enabled: true } }, []],
  ['a PersistentVolume', persistentVolume, {}, ['no claim is bound to this PersistentVolume']],
  [
    'a PersistentVolume for claims that are not synced',
    persistentVolume,
    { persistentVolumeClaims: { enabled: false } },
    [],
  ],
  ['a kind that has an effect without the host', configMap, {}, []],
])('the writer of %s is warned only if it has no effect without the host', (_, kind, toHost, expected) => {
  expect(warnings(kind, toHost)).toEqual(expected.map((text) => expect.stringContaining(text)))
})
