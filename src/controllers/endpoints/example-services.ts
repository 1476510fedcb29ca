import type { Service } from '../../api/types/core-v1.ts'
import { type PodFacts, podFactsFrom } from '../pods/pod-facts.ts'
import { PortOffers } from './port-offers.ts'

/** For tests: a Service `web` and its Pods. */

export const exampleTime = '2030-01-01T00:00:00Z'
export const readySince = '2030-01-01T00:05:00Z'

export function exampleService(spec: object = {}, metadata: object = {}): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'a', uid: 'service', creationTimestamp: exampleTime, ...metadata },
    spec: {
      selector: { app: 'web' },
      clusterIP: '10.0.0.9',
      ipFamilies: ['IPv4'],
      ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
      ...spec,
    },
    status: { loadBalancer: {} },
  }
}

export interface ExamplePodParts {
  readonly metadata?: object
  readonly spec?: object
  readonly status?: object
  readonly ready?: boolean
}

/** A ready Pod with the address 10.7.0.N, unless specified otherwise. */
export function examplePod(number: number, { metadata, spec, status, ready = true }: ExamplePodParts = {}): PodFacts {
  const ip = `10.7.${Math.floor(number / 250)}.${number % 250}`
  const condition = { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: readySince }
  return podFactsFrom({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `web-${number}`, namespace: 'a', uid: `uid-${number}`, labels: { app: 'web' }, ...metadata },
    spec: { nodeName: 'one', containers: [], ...spec },
    status: { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions: [condition], ...status },
  })
}

export function examplePods(count: number): readonly PodFacts[] {
  return Array.from({ length: count }, (_, index) => examplePod(index + 1))
}

export function exampleOffers(service: Service, pods: readonly PodFacts[]): PortOffers {
  const offers = new PortOffers(service)
  for (const pod of pods) offers.add(pod)
  return offers
}
