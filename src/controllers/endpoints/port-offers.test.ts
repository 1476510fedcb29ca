import { describe, expect, it } from 'vitest'
import type { PodFacts } from '../pods/pod-facts.ts'
import { exampleOffers, examplePod, examplePods, exampleService } from './example-services.ts'
import { mostOfferedPorts, mostOffers } from './port-offers.ts'

function namedAt(number: number, containerPort: number): PodFacts {
  const ports = [{ name: 'http', containerPort, protocol: 'TCP' }]
  return examplePod(number, { spec: { containers: [{ name: 'c', ports }] } })
}

function servicePorts(count: number, targetPort: string | number) {
  return Array.from({ length: count }, (_, at) => ({ name: `p${at}`, port: at + 1, targetPort, protocol: 'TCP' }))
}

describe('the resolved ports of Pods', () => {
  it('are shared by all Pods if no port is named', () => {
    const offers = exampleOffers(exampleService({ ports: servicePorts(50, 80) }), examplePods(40)).all()
    expect(offers.map(({ ports, pods }) => [ports.length, pods.length])).toEqual([[50, 40]])
  })

  it('are looked up once in each Pod, however many ports the Service has', () => {
    let reads = 0
    const pod = namedAt(1, 8080)
    const port = {
      get name() {
        reads += 1
        return 'http'
      },
      protocol: 'TCP',
      port: 8080,
    }
    const counted = { ...pod, network: { ...pod.network, ports: [port] } }
    const [offer] = exampleOffers(exampleService({ ports: servicePorts(100, 'http') }), [counted]).all()
    expect(offer?.ports).toHaveLength(100)
    expect(reads).toBe(1)
  })

  it('are the first of two ports with the same name', () => {
    const ports = [8080, 9090].map((containerPort) => ({ name: 'http', containerPort, protocol: 'TCP' }))
    const pod = examplePod(1, { spec: { containers: [{ name: 'c', ports }] } })
    const [offer] = exampleOffers(exampleService({ ports: servicePorts(1, 'http') }), [pod]).all()
    expect(offer?.ports).toEqual([{ name: 'p0', port: 8080, protocol: 'TCP' }])
  })

  it.each([
    ['offers', 1, mostOffers],
    ['ports in all offers', 1_000, mostOfferedPorts / 1_000],
  ])('have a limit of %s, and omitted Pods are counted', (_, portCount, most) => {
    const pods = Array.from({ length: most + 3 }, (_, at) => namedAt(at, at + 1))
    const offers = exampleOffers(exampleService({ ports: servicePorts(portCount, 'http') }), pods)
    expect([offers.all().length, offers.leftOut]).toEqual([most, 3])
  })
})
