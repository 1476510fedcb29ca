import { ApiError, serviceUnavailable } from '../../api/error.ts'
import { ConnectionError } from '../../client/connection/connection-error.ts'
import type { ForwardAnswer, Forwarder } from '../../client/forward/contract.ts'
import { giveUpAnswer } from '../../client/forward/give-up.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { Exchange } from '../../server/exchange.ts'
import type { Response } from '../../server/http.ts'
import { BrokenAnswer, passedAnswer } from '../../server/onward/answer.ts'
import { cutBy } from '../../server/onward/cuts.ts'
import { passedRequestHeaders } from '../../server/onward/passed-request.ts'
import { printQuery } from '../../server/query.ts'
import { type AskedOfPod, askedOfPod } from './asked.ts'
import { hostRefusal } from './host-refusal.ts'
import { type BothClusters, type ReachedPod, reachedPod } from './reached-pod.ts'

export interface PodReach extends BothClusters {
  /** Whether Pods are synced. */
  readonly isOn: () => boolean
  /** To the host's API, as the tenant. */
  readonly forwarder: Forwarder
  /** Aborts when the virtual cluster stops. */
  readonly stopping: AbortSignal
}

/** Logs of Pods, commands in them and connections to them. Who asks has been authorized in the virtual cluster. */
export function podRoute(find: () => PodReach | undefined): ExtraRoute {
  return ({ info }) => {
    const asked = askedOfPod(info)
    const reach = find()
    if (asked === undefined || reach?.isOn() === false) return undefined
    return (exchange) => {
      if (reach === undefined) throw serviceUnavailable('the virtual cluster is not connected to its host yet', 1)
      return reachInto(asked, exchange, reach)
    }
  }
}

async function reachInto(asked: AskedOfPod, exchange: Exchange, reach: PodReach): Promise<Response> {
  const { request, user } = exchange
  const revoked = user.credential === undefined ? [] : [user.credential.revoked]
  const cuts = [request.signal, reach.stopping, ...revoked]
  const givenUp = new AbortController()
  const forget = cutBy(cuts, () => givenUp.abort())
  try {
    const reached = await reachedPod(asked, reach, givenUp.signal)
    const answer = await reach.forwarder.forward({
      method: request.method,
      url: urlOf(asked, reached),
      headers: passedRequestHeaders(request.rawHeaders, true),
      body: undefined,
      upgrade: request.upgrade,
      signal: givenUp.signal,
    })
    if (answer.form === 'answer' && answer.status >= 400) throw await hostRefusal(answer, asked, reached.place)
    requirePlausible(answer, request.upgrade)
    return await passedAnswer(answer, request.method, cuts)
  } catch (error) {
    throw toldAs(error)
  } finally {
    forget()
  }
}

function urlOf({ subresource, parameters }: AskedOfPod, { place, container }: ReachedPod): string {
  const all = container === '' ? parameters : [...parameters, ['container', container] as const]
  const pod = `/api/v1/namespaces/${encodeURIComponent(place.namespace)}/pods/${encodeURIComponent(place.name)}`
  return `${pod}/${subresource}${printQuery(all)}`
}

/** A protocol that the client did not ask for would be taken for the one that it did. */
function requirePlausible(answer: ForwardAnswer, wanted = ''): void {
  if (answer.form === 'answer' && answer.status >= 200) return
  const asked = wanted.split(',').map((each) => each.trim().toLowerCase())
  if (answer.form === 'upgraded' && answer.protocol !== '' && asked.includes(answer.protocol.toLowerCase())) return
  giveUpAnswer(answer)
  throw new ConnectionError('its answer is no answer of an API server')
}

function toldAs(error: unknown): unknown {
  if (error instanceof ApiError) return error
  if (error instanceof ConnectionError || error instanceof BrokenAnswer) {
    return serviceUnavailable(`the host cannot be reached: ${error.message}`, 1)
  }
  return error
}
