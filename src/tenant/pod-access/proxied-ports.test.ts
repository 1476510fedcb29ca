import { describe, expect, it } from 'vitest'
import type { Endpoints, Pod, Service } from '../../api/types/core-v1.ts'
import { podsBehind, portOfPod } from './proxied-ports.ts'
import type { ProxyRequest } from './proxy-request.ts'

const asked = (port: string, scheme: ProxyRequest['scheme'] = 'http'): ProxyRequest => ({
  resource: 'services',
  pathName: 'web',
  object: { namespace: 'shop', name: 'web' },
  scheme,
  port,
  path: '/',
  query: '',
})

const podWith = (...ports: readonly number[]) =>
  ({
    spec: { containers: [{ name: 'a' }, { name: 'b', ports: ports.map((each) => ({ containerPort: each })) }] },
  }) as unknown as Pod

describe('the port of a Pod', () => {
  it.each([
    ['9', 'http', [80], 9],
    ['', 'http', [8080, 9], 8080],
    ['', 'http', [], 80],
    ['', 'https', [], 443],
  ] as const)('%j by %s of %j is %d', (port, scheme, listed, expected) => {
    expect(portOfPod(podWith(...listed), asked(port, scheme))).toBe(expected)
  })

  it.each(['0', '65536', '-1', '80x', 'http', '1e3', '100000'])('is a port number: not %s', (port) => {
    expect(() => portOfPod(podWith(80), asked(port))).toThrow(`invalid port "${port}" of pod web`)
  })
})

describe('the Pods behind a Service', () => {
  const service = { spec: { ports: [{ port: 80 }, { name: 'admin', port: 81 }] } } as unknown as Service
  const pod = (name: string, more: object = {}) => ({
    ip: '10.0.0.1',
    targetRef: { kind: 'Pod', namespace: 'shop', name, uid: `uid of ${name}`, ...more },
  })
  const behind = (addresses: readonly object[], port: string, ports: readonly object[] = [{ port: 8080 }]) =>
    podsBehind(service, { subsets: [{ addresses, ports }] } as unknown as Endpoints, asked(port))

  it.each([
    ['80', [{ port: 8080 }], 8080],
    ['', [{ port: 8080 }], 8080],
    ['81', [{ port: 8080 }, { name: 'admin', port: 9 }], 9],
    ['admin', [{ port: 8080 }, { name: 'admin', port: 9 }], 9],
  ])('are found by port %j', (port, ports, expected) => {
    expect(behind([pod('a'), pod('b')], port, ports)).toEqual([
      { pod: { namespace: 'shop', name: 'a' }, uid: 'uid of a', port: expected },
      { pod: { namespace: 'shop', name: 'b' }, uid: 'uid of b', port: expected },
    ])
  })

  it.each([
    ['an address of the host', { ip: '169.254.169.254' }],
    ['an address of the host that calls itself a node', { ip: '10.0.0.1', targetRef: { kind: 'Node', name: 'a' } }],
    ['a Pod of another namespace', pod('a', { namespace: 'bank' })],
    ['a Pod without a namespace', pod('a', { namespace: undefined })],
    ['a Pod without a name', pod('')],
  ])('are Pods of its own namespace: not %s', (_, address) => {
    expect(() => behind([address], '80')).toThrow('no endpoint of service "web" is a Pod of its namespace')
    expect(behind([address, pod('own')], '80').map((each) => each.pod.name)).toEqual(['own'])
  })

  it('are reached at existing ports', () => {
    expect(() => behind([pod('a')], '80', [{ port: 0 }])).toThrow('is a Pod of its namespace')
  })

  it.each([
    ['82', 'no service port 82 found for service "web"'],
    ['other', 'no endpoints available for service "web"'],
  ])('do not exist for port %j', (port, message) => {
    expect(() => behind([pod('a')], port)).toThrow(message)
  })

  it('are ready', () => {
    const endpoints = { subsets: [{ notReadyAddresses: [pod('a')], ports: [{ port: 8080 }] }] } as unknown as Endpoints
    expect(() => podsBehind(service, endpoints, asked(''))).toThrow('no endpoints available for service "web"')
    expect(() => podsBehind(service, {} as Endpoints, asked(''))).toThrow('no endpoints available for service "web"')
  })
})
