import { describe, expect, it } from 'vitest'
import { externalNameCheck } from './external-names.ts'

const nothing = externalNameCheck([], 'cluster.local')
const anything = externalNameCheck(['*'], 'Host.Example.com')

describe('names that a Service may refer to', () => {
  it.each(['db.example.com', 'kubernetes.default.svc', 'localhost'])('exclude %s by default', (name) => {
    expect(nothing(name)).toBeDefined()
  })

  it.each([
    ['kubernetes', 'may be a Service of the host'],
    ['kubernetes.', 'may be a Service of the host'],
    ['kubernetes.default', 'may be a Service of the host'],
    ['grafana.monitoring', 'may be a Service of the host'],
    ['kubernetes.default.svc', 'is a name of the host'],
    ['KUBERNETES.Default.SVC', 'is a name of the host'],
    ['kubernetes.default.svc.', 'is a name of the host'],
    ['kubernetes.default.svc.cluster.local', 'is a name of the host'],
    ['kubernetes.default.svc.cluster.local.', 'is a name of the host'],
    ['a.b.svc.host.example.com', 'is a name of the host'],
    ['host.example.com', 'is a name of the host'],
    ['metadata.google.internal', 'is a name of the host'],
    ['printer.office.local', 'is a name of the host'],
    ['a.b.localhost', 'is a name of the host'],
    ['localhost', 'is a name of the host'],
    ['1.0.0.127.in-addr.arpa', 'is a name of the host'],
    ['127.0.0.1', 'is read as an address'],
    ['169.254.169.254', 'is read as an address'],
    ['a.b.0x7f', 'is read as an address'],
    ['2130706433', 'is read as an address'],
  ])('exclude %s: %s, even if every name is allowed', (name, why) => {
    expect(anything(name)).toBe(`"${name}" ${why}`)
  })

  it.each(['db.example.org', 'example.org.', 'DB.Example.ORG', 'a.b.c.d.example.org'])(
    'include %s if every name is allowed',
    (name) => {
      expect(anything(name)).toBeUndefined()
    },
  )

  it('include allowed names, and those below them', () => {
    const some = externalNameCheck(['*.example.com', 'db', 'kube.kube-system.svc.cluster.local'], 'cluster.local')
    expect(some('db.example.com')).toBeUndefined()
    expect(some('a.b.example.com.')).toBeUndefined()
    expect(some('db')).toBeUndefined()
    expect(some('kube.kube-system.svc.cluster.local')).toBeUndefined()
    expect(some('example.com')).toBeDefined()
    expect(some('evil-example.com')).toBeDefined()
    expect(some('db.example.com.evil.org')).toBeDefined()
  })

  it.each([[undefined], [''], [7], [{}]])('exclude %j', (name) => {
    expect(anything(name)).toBe('it is no name')
  })
})
