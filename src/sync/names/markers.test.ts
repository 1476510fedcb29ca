import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import { hostNamesOf } from './host-names.ts'
import { kindMarkOf, markAnnotations, markLabels, virtualNameOf } from './markers.ts'

const identity = { tenant: 'demo', hostNamespace: 'tenants' }
const owner = { identity, kindMark: 'ConfigMap' }
const { hostOf } = hostNamesOf(identity, effectiveConfig({}))
const virtual: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'a', name: 'b', uid: 'c' } }
const place = hostOf({ namespace: 'a', name: 'b' }) ?? { namespace: '', name: '' }
const copy: KubeObject = {
  ...virtual,
  metadata: { ...place, labels: markLabels(owner), annotations: markAnnotations(owner, virtual, place) },
}

function edited(metadata: object): KubeObject {
  return { ...copy, metadata: { ...copy.metadata, ...metadata } }
}

describe('the marks of a copy', () => {
  it('name the object that it is a copy of', () => {
    expect(virtualNameOf(copy, owner, hostOf)).toEqual({ namespace: 'a', name: 'b' })
  })

  it.each(Object.keys(copy.metadata.annotations ?? {}).filter((mark) => !mark.endsWith('uid')))(
    'have no effect without %s',
    (mark) => {
      const { [mark]: _, ...annotations } = copy.metadata.annotations ?? {}
      expect(virtualNameOf(edited({ annotations }), owner, hostOf)).toBeUndefined()
    },
  )

  it.each<[string, object]>([
    ['another tenant', { labels: { 'tenant.internal/managed-by': 'other' } }],
    ['an object that was copied under another name', { name: 'somewhere-else' }],
    ['an object that was copied into another namespace', { namespace: 'elsewhere' }],
  ])('have no effect on %s', (_whose, metadata) => {
    expect(virtualNameOf(edited(metadata), owner, hostOf)).toBeUndefined()
  })

  it('belong to one tenant of two with the same name', () => {
    const other = { tenant: 'demo', hostNamespace: 'others' }
    expect(
      virtualNameOf(copy, { ...owner, identity: other }, hostNamesOf(other, effectiveConfig({})).hostOf),
    ).toBeUndefined()
  })

  it('name a kind independent of its version', () => {
    expect(kindMarkOf({ group: '', resource: 'endpoints', kind: 'Endpoints' })).toBe('Endpoints')
    expect(kindMarkOf({ group: 'cert-manager.io', resource: 'certificates', kind: 'Certificate' })).toBe(
      'certificates.cert-manager.io',
    )
  })
})
