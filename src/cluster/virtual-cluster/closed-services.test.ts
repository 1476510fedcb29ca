import { expect, it } from 'vitest'
import { configMap } from '../../api/core/config-map.ts'
import { service } from '../../api/core/services/service.ts'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import { closedServices } from './closed-services.ts'

const noLoadBalancer =
  'this Service gets no load balancer: the operator can set policies.sync.loadBalancers.enabled in tenant.yaml'
const noNodePort =
  'this Service opens no port on nodes: the operator can set policies.sync.nodePorts.enabled in tenant.yaml'
const notSynced = 'this Service gets no load balancer: the operator can set sync.toHost.services.enabled in tenant.yaml'

it.each([
  ['LoadBalancer', {}, [noLoadBalancer]],
  ['LoadBalancer', { policies: { sync: { loadBalancers: { enabled: true } } } }, []],
  ['LoadBalancer', { sync: { toHost: { services: { enabled: false } } } }, [notSynced]],
  ['NodePort', {}, [noNodePort]],
  ['NodePort', { policies: { sync: { nodePorts: { enabled: true } } } }, []],
  ['ClusterIP', {}, []],
  ['ExternalName', {}, []],
  [undefined, {}, []],
])('the writer of a Service of type %s under %j is warned if the host does not open it', (type, config, expected) => {
  const told: string[] = []
  const request = { warn: (text: string) => told.push(text) }
  closedServices(() => effectiveConfig(config)).inspect?.({ spec: { type } } as never, { request } as never)
  expect(told).toEqual(expected)
})

it('only Services are looked at', () => {
  const { handles } = closedServices(() => effectiveConfig({}))
  expect([handles(service), handles(configMap)]).toEqual([true, false])
})
