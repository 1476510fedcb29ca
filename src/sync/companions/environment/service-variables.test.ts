import { describe, expect, it } from 'vitest'
import type { Service } from '../../../api/types/core-v1.ts'
import { apiVariables, linkVariables } from './service-variables.ts'

function serviceOf(name: string, spec: Service['spec'], annotations: Record<string, string> = {}): Service {
  const metadata = { name, namespace: 'shop', annotations }
  return { apiVersion: 'v1', kind: 'Service', metadata, spec, status: { loadBalancer: {} } }
}

const http = { port: 80, targetPort: 80 }

const web = serviceOf('web-app', {
  clusterIP: '10.0.0.7',
  ports: [
    { ...http, name: 'http', protocol: 'TCP' },
    { name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' },
  ],
})

describe('the variables of Services', () => {
  it('are those that a kubelet makes', () => {
    expect(linkVariables([web])).toEqual({
      WEB_APP_SERVICE_HOST: '10.0.0.7',
      WEB_APP_SERVICE_PORT: '80',
      WEB_APP_SERVICE_PORT_HTTP: '80',
      WEB_APP_SERVICE_PORT_DNS: '53',
      WEB_APP_PORT: 'tcp://10.0.0.7:80',
      WEB_APP_PORT_80_TCP: 'tcp://10.0.0.7:80',
      WEB_APP_PORT_80_TCP_PROTO: 'tcp',
      WEB_APP_PORT_80_TCP_PORT: '80',
      WEB_APP_PORT_80_TCP_ADDR: '10.0.0.7',
      WEB_APP_PORT_53_UDP: 'udp://10.0.0.7:53',
      WEB_APP_PORT_53_UDP_PROTO: 'udp',
      WEB_APP_PORT_53_UDP_PORT: '53',
      WEB_APP_PORT_53_UDP_ADDR: '10.0.0.7',
    })
  })

  it.each<[string, Service]>([
    ['a headless one', serviceOf('a', { clusterIP: 'None', ports: [http] })],
    ['one that is a name elsewhere', serviceOf('a', { type: 'ExternalName', externalName: 'example.com' })],
    ['one without an address yet', serviceOf('a', { ports: [http] })],
    ['one without ports', serviceOf('a', { clusterIP: '10.0.0.7' })],
    ['one whose name is no variable', serviceOf('9to5', { clusterIP: '10.0.0.7', ports: [http] })],
  ])('leave out %s', (_which, service) => {
    expect(linkVariables([service])).toEqual({})
  })

  it('contain the address on the host, and an IPv6 address in brackets', () => {
    const noted = { 'tenant.internal/host-cluster-ip': 'fd00::7' }
    const variables = linkVariables([serviceOf('a', { clusterIP: '10.9.9.9', ports: [http] }, noted)])
    expect(variables).toMatchObject({ A_SERVICE_HOST: 'fd00::7', A_PORT: 'tcp://[fd00::7]:80' })
  })

  it('fit into one ConfigMap, however many Services there are', () => {
    const many = Array.from({ length: 3_000 }, (_, index) =>
      serviceOf(`service-${String(index).padStart(4, '0')}`, { clusterIP: '10.0.0.7', ports: [http] }),
    )
    const variables = linkVariables(many.reverse())
    expect(JSON.stringify(variables).length).toBeLessThan(900_000)
    expect(variables).toHaveProperty('SERVICE_0000_SERVICE_HOST')
    expect(variables).not.toHaveProperty('SERVICE_2999_SERVICE_HOST')
  })

  it('contain the address of the virtual API', () => {
    expect(apiVariables({ host: '10.0.0.9', port: 6443 })).toMatchObject({
      KUBERNETES_SERVICE_HOST: '10.0.0.9',
      KUBERNETES_SERVICE_PORT: '6443',
      KUBERNETES_SERVICE_PORT_HTTPS: '6443',
      KUBERNETES_PORT: 'tcp://10.0.0.9:6443',
    })
  })

  it('are empty if that is not known, in place of the values of the host', () => {
    const variables = apiVariables(undefined)
    expect(Object.keys(variables)).toEqual(Object.keys(apiVariables({ host: '10.0.0.9', port: 443 })))
    expect(new Set(Object.values(variables))).toEqual(new Set(['']))
  })
})
