import type { Service, ServicePort } from '../../api/types/core-v1.ts'
import { Pace } from '../../base/pace.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import { isReachable } from './backends.ts'

/** A port of a Service as offered by one Pod. */
export interface OfferedPort {
  readonly name: string
  readonly port: number
  readonly protocol: string
  readonly appProtocol?: string
}

/** Pods that offer exactly the same ports of a Service. */
export interface PortOffer {
  readonly ports: readonly OfferedPort[]
  readonly pods: readonly PodFacts[]
}

/** For one Service. Each offer becomes a slice. */
export const mostOffers = 1_000

/** For all offers of one Service together. */
export const mostOfferedPorts = 100_000

/** In steps: there may be very many Pods, with very many ports. */
export async function portOffersOf(service: Service, pods: readonly PodFacts[]): Promise<PortOffers> {
  const offers = new PortOffers(service)
  const pace = new Pace()
  for (const pod of pods) {
    await pace.step()
    offers.add(pod)
  }
  return offers
}

/** Which Pods offer which ports of a Service. Pods differ only in ports that the Service names. */
export class PortOffers {
  readonly #ports: readonly ServicePort[]
  readonly #offers = new Map<string, { ports: readonly OfferedPort[]; pods: PodFacts[] }>()
  readonly #asksByName: boolean
  #portCount = 0
  #leftOut = 0

  constructor({ spec }: Service) {
    this.#ports = spec.ports ?? []
    this.#asksByName = this.#ports.some(({ targetPort }) => typeof targetPort !== 'number')
  }

  /** A named port that the Pod does not have is omitted from its offer. */
  add(pod: PodFacts): void {
    if (!isReachable(pod)) return
    const numbers = this.#asksByName ? this.#numbersIn(pod) : undefined
    const key = numbers?.join() ?? ''
    const known = this.#offers.get(key)
    if (known !== undefined) known.pods.push(pod)
    else this.#addOffer(key, pod, numbers ?? this.#numbersIn(pod))
  }

  all(): readonly PortOffer[] {
    return [...this.#offers.values()]
  }

  /** How many Pods were left out because of the limits. */
  get leftOut(): number {
    return this.#leftOut
  }

  #addOffer(key: string, pod: PodFacts, numbers: readonly (number | undefined)[]): void {
    const ports = this.#ports.flatMap((port, index) => {
      const number = numbers[index]
      return number === undefined ? [] : [offered(port, number)]
    })
    const isFull = this.#offers.size >= mostOffers || this.#portCount + ports.length > mostOfferedPorts
    if (isFull && this.#offers.size > 0) {
      this.#leftOut += 1
      return
    }
    this.#portCount += ports.length
    this.#offers.set(key, { ports, pods: [pod] })
  }

  #numbersIn({ network }: PodFacts): readonly (number | undefined)[] {
    const named = new Map<string, number>()
    for (const { name, protocol, port } of this.#asksByName ? network.ports : []) {
      const key = `${protocol}/${name}`
      if (!named.has(key)) named.set(key, port)
    }
    return this.#ports.map(({ port, targetPort, protocol = 'TCP' }) => {
      if (typeof targetPort === 'number') return targetPort === 0 ? port : targetPort
      return named.get(`${protocol}/${targetPort}`)
    })
  }
}

function offered({ name = '', protocol = 'TCP', appProtocol }: ServicePort, port: number): OfferedPort {
  return appProtocol === undefined ? { name, port, protocol } : { name, port, protocol, appProtocol }
}
