import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import type { ServicePort } from '../../api/types/core-v1.ts'
import type { KindSetting } from '../contract.ts'
import { selectedKey } from '../names/host-labels.ts'
import { hostNamesOf } from '../names/host-names.ts'
import { servicesSync } from './services.ts'

/** The part of a port that identifies it. */
type Port = Omit<ServicePort, 'targetPort'>

const following: KindSetting = {
  names: hostNamesOf({ tenant: 'demo', hostNamespace: 'tenants' }, effectiveConfig({})).forKinds,
  virtualFollowsHostAddresses: true,
  podsRunOnHost: true,
}

function service(...ports: readonly Port[]): KubeObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { type: 'NodePort', ports } }
}

/** The ports of the virtual Service and of its copy. Servers may fill in the protocol or not. */
const pairs: readonly [string, Port, Port][] = [
  ['both name the protocol', { port: 80, protocol: 'TCP' }, { port: 80, protocol: 'TCP', nodePort: 31_999 }],
  ['only the host names it', { port: 80 }, { port: 80, protocol: 'TCP', nodePort: 31_999 }],
  ['only the tenant names it', { port: 80, protocol: 'TCP' }, { port: 80, nodePort: 31_999 }],
  ['the tenant has another one', { port: 80, nodePort: 30_000 }, { port: 80, nodePort: 31_999 }],
]

describe('the node port of a Service', () => {
  it.each(pairs)('is synced back when %s', (_, own, copied) => {
    const { fields } = servicesSync.toVirtual?.(service(copied), service(own), following) ?? {}
    expect(fields).toEqual({ spec: { ports: [{ ...own, nodePort: 31_999 }] } })
  })

  it.each(pairs)('stays on the copy when %s', (_, own, copied) => {
    const wanted = servicesSync.toHost(service(own), following)
    const { nodePort: _own, ...port } = own
    expect(servicesSync.overCopy?.(wanted, service(copied))).toEqual({
      spec: { type: 'NodePort', ports: [{ ...port, nodePort: 31_999 }] },
    })
  })

  it('is not taken from another protocol', () => {
    const copy = service({ port: 53, protocol: 'UDP', nodePort: 31_999 })
    expect(servicesSync.toVirtual?.(copy, service({ port: 53 }), following)).toEqual({})
  })

  it('that a patch sets is requested', () => {
    const wanted = { spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 32_000 }] } }
    expect(servicesSync.overCopy?.(wanted, service({ port: 80, nodePort: 31_999 }))).toEqual(wanted)
  })
})

describe('the selector of a Service', () => {
  const selecting = (selector: object | undefined, type = 'ClusterIP'): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { type, ...(selector && { selector }) },
  })
  const apart = { ...following, podsRunOnHost: false }

  it('selects the Pods of its tenant and namespace where they run on the host', () => {
    expect(servicesSync.toHost(selecting({ app: 'web' }), following).spec).toMatchObject({
      selector: { [selectedKey('app')]: 'web', 'tenant.internal/object-namespace': 'shop' },
    })
  })

  it.each([
    ['Pods are elsewhere', selecting({ app: 'web' }), apart],
    ['it is empty', selecting({}), following],
    ['it is absent', selecting(undefined), following],
    ['the Service is only a name', selecting({ app: 'web' }, 'ExternalName'), following],
  ])('is absent where %s', (_, service, setting) => {
    expect(servicesSync.toHost(service, setting).spec).not.toHaveProperty('selector')
  })

  it('that is removed recreates the copy, because the host would keep the selected addresses', () => {
    const whyAnew = (wanted: KubeObject, copy: KubeObject) => servicesSync.whyAnew?.(wanted, copy)
    expect(whyAnew(selecting(undefined), selecting({ a: 'b' }))).toMatch(/no longer selects/)
    expect(whyAnew(selecting({ c: 'd' }), selecting({ a: 'b' }))).toBeUndefined()
    expect(whyAnew(selecting({ c: 'd' }), selecting(undefined))).toBeUndefined()
  })
})
