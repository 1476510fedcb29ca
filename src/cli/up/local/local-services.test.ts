import { expect, it } from 'vitest'
import { effectiveConfig } from '../../../api/tenant-config/defaults.ts'
import { serviceManifest } from '../../create/manifests/all.ts'
import { localEndpoints, localService } from './local-services.ts'

const deployment = { name: 'demo', namespace: 'tenant-demo', config: effectiveConfig({}) }

it('the address behind a Service in this process has the ports of the Service', () => {
  const { spec, metadata } = JSON.parse(JSON.stringify(localService(deployment)))
  const pods = JSON.parse(JSON.stringify(serviceManifest(deployment)))
  expect(spec).toEqual({ ...pods.spec, selector: undefined })
  expect(metadata).toEqual(pods.metadata)
  const endpoints = JSON.parse(JSON.stringify(localEndpoints(deployment, '192.0.2.2', { https: 4433, dns: 5353 })))
  expect(endpoints.metadata).toEqual(metadata)
  const [subset] = endpoints.subsets
  expect(subset.addresses).toEqual([{ ip: '192.0.2.2' }])
  const named = (ports: readonly { name: string; protocol: string }[]) =>
    ports.map(({ name, protocol }) => `${name} ${protocol}`)
  expect(named(subset.ports)).toEqual(named(spec.ports))
})
