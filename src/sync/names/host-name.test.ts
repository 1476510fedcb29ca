import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostName, type TenantObject } from './host-name.ts'

const web: TenantObject = { hostNamespace: 'tenants', tenant: 'demo', namespace: 'default', name: 'web' }

const anyText = fc.array(fc.nat(0xffff), { maxLength: 80 }).map((units) => String.fromCharCode(...units))

describe('hostName', () => {
  it('stays the same in every release, or objects would be synced twice', () => {
    expect(hostName(web)).toBe('v-web-0abnrj6nq22a4')
    expect(hostName({ ...web, name: `${'a'.repeat(60)}.example` })).toMatch(/^v-a{47}-[a-z0-9]{13}$/)
    expect(hostName({ ...web, name: 'kube-root-ca.crt' })).toMatch(/^v-kube-root-ca-crt-[a-z0-9]{13}$/)
  })

  it('differs whenever any part differs', () => {
    const objects: readonly TenantObject[] = [
      web,
      { ...web, name: 'web2' },
      { ...web, namespace: 'other' },
      { ...web, tenant: 'other' },
      { ...web, hostNamespace: 'other' },
      { ...web, namespace: 'default","web', name: '' },
      { ...web, name: 'a.b' },
      { ...web, name: 'a-b' },
      { ...web, namespace: 'a-b', name: 'c' },
      { ...web, namespace: 'a', name: 'b-c' },
    ]
    expect(new Set(objects.map(hostName)).size).toBe(objects.length)
  })

  it('is a DNS label for any text', () => {
    fc.assert(
      fc.property(anyText, anyText, (name, namespace) => {
        expect(hostName({ ...web, name, namespace })).toMatch(/^v-[a-z0-9-]{0,47}-[a-z0-9]{13}$/)
      }),
      { numRuns: 100 },
    )
  })

  it('has no collisions among many', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => hostName({ ...web, name: `web-${index}` }).slice(-13))
    expect(new Set(names).size).toBe(names.length)
  })
})
