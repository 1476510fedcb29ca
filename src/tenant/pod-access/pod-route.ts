import { serviceUnavailable } from '../../api/error.ts'
import type { Random } from '../../base/random.ts'
import type { ForwardAnswer, Forwarder } from '../../client/forward/contract.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { Exchange } from '../../server/exchange.ts'
import type { Response } from '../../server/http.ts'
import { passedAnswer } from '../../server/onward/answer.ts'
import { cutBy } from '../../server/onward/cuts.ts'
import { requireKnownUpgrade, requirePlausible, revocationOf } from '../../server/onward/passed-exchange.ts'
import { passedRequestHeaders } from '../../server/onward/passed-request.ts'
import { withTrace } from '../../server/onward/passed-trace.ts'
import { printQuery } from '../../server/request/query.ts'
import { askDuringCheck } from './ask-during-check.ts'
import { type BothClusters, type HostContainer, hostContainerOf } from './host-container.ts'
import { hostFailure, hostRefusal } from './host-refusal.ts'
import { type PodRequest, podRequestOf } from './pod-request.ts'

export interface PodAccess extends BothClusters {
  /** Whether Pods are synced. */
  readonly isOn: () => boolean
  /** Forwards to the host's API, as the tenant. */
  readonly forwarder: Forwarder
  readonly random: Random
  /** Aborts when the virtual cluster stops. */
  readonly stopping: AbortSignal
}

/** Serves logs of Pods, commands in them and connections to them. The caller was authorized in the virtual cluster. */
export function podRoute(find: () => PodAccess | undefined): ExtraRoute {
  return ({ info }) => {
    const podRequest = podRequestOf(info)
    const access = find()
    if (podRequest === undefined || access?.isOn() === false) return undefined
    return (exchange) => {
      if (access === undefined) throw serviceUnavailable('the virtual cluster is not connected to its host yet', 1)
      return connectToPod(podRequest, exchange, access)
    }
  }
}

async function connectToPod(podRequest: PodRequest, exchange: Exchange, access: PodAccess): Promise<Response> {
  const { request } = exchange
  requireKnownUpgrade(exchange)
  const cuts = [request.signal, access.stopping, ...revocationOf(exchange)]
  const givenUp = new AbortController()
  const forget = cutBy(cuts, () => givenUp.abort())
  try {
    const container = await hostContainerOf(podRequest, access, givenUp.signal)
    const ask = () =>
      access.forwarder.forward({
        method: request.method,
        url: urlOf(podRequest, container),
        headers: withTrace(passedRequestHeaders(request.rawHeaders, true), exchange),
        body: undefined,
        upgrade: request.upgrade,
        signal: givenUp.signal,
      })
    const giveUp = () => givenUp.abort()
    const answer = await (podRequest.onlyReads ? askDuringCheck(container, ask, giveUp) : askAfterCheck(container, ask))
    if (answer.form === 'answer' && answer.status >= 400) throw await hostRefusal(answer, podRequest, container)
    requirePlausible(answer, exchange.request)
    return await passedAnswer(answer, request.method, cuts)
  } catch (error) {
    throw hostFailure(error)
  } finally {
    forget()
  }
}

async function askAfterCheck({ confirm }: HostContainer, ask: () => Promise<ForwardAnswer>): Promise<ForwardAnswer> {
  await confirm()
  return ask()
}

function urlOf({ subresource, parameters }: PodRequest, { place, container }: HostContainer): string {
  const all = container === '' ? parameters : [...parameters, ['container', container] as const]
  const pod = `/api/v1/namespaces/${encodeURIComponent(place.namespace)}/pods/${encodeURIComponent(place.name)}`
  return `${pod}/${subresource}${printQuery(all)}`
}
