import { badRequest, isRefusal, serviceUnavailable, unreachable } from '../../api/error.ts'
import type { Endpoints, Service } from '../../api/types/core-v1.ts'
import { endpointsType, serviceType } from '../../client/builtin-types.ts'
import type { KubeClient, ResourceType } from '../../client/contract.ts'
import type { ForwardAnswer } from '../../client/forward/contract.ts'
import { giveUpAnswer } from '../../client/forward/give-up.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { Exchange } from '../../server/exchange.ts'
import type { Response } from '../../server/http.ts'
import { passedAnswer } from '../../server/onward/answer.ts'
import { workloadAnswerHeaders } from '../../server/onward/answer-headers.ts'
import { cutBy } from '../../server/onward/cuts.ts'
import { bodyToPass, requirePlausible, revocationOf } from '../../server/onward/passed-exchange.ts'
import { passedRequestHeaders } from '../../server/onward/passed-request.ts'
import { withTrace } from '../../server/onward/passed-trace.ts'
import { mayDo } from '../../sync/run/may-list.ts'
import { bothPods, placeOfCopy } from './host-container.ts'
import { hostFailure, withoutRight } from './host-refusal.ts'
import { withOwnLinks, withoutEncodings } from './own-links.ts'
import type { PodAccess } from './pod-route.ts'
import { type PodBehind, podsBehind, portOfPod } from './proxied-ports.ts'
import { isProxied, type ProxyRequest, proxyRequestOf } from './proxy-request.ts'

/**
 * Serves HTTP requests to Pods, and to Services through their Pods. The caller was authorized in the virtual cluster.
 */
export function podProxyRoute(find: () => PodAccess | undefined): ExtraRoute {
  return ({ info }) => {
    const access = find()
    if (!isProxied(info) || access?.isOn() === false) return undefined
    return (exchange) => {
      const proxied = proxyRequestOf(info)
      if (access === undefined) throw serviceUnavailable('the virtual cluster is not connected to its host yet', 1)
      requireKnownProtocol(exchange)
      return passThrough(proxied, exchange, access)
    }
  }
}

/** Any other protocol could be meant for the servers in between. */
function requireKnownProtocol({ request: { upgrade } }: Exchange): void {
  if (upgrade === undefined || upgrade.toLowerCase() === 'websocket') return
  throw badRequest('a connection to a Pod can be upgraded only to a WebSocket')
}

async function passThrough(proxied: ProxyRequest, exchange: Exchange, access: PodAccess): Promise<Response> {
  const { request } = exchange
  const cuts = [request.signal, access.stopping, ...revocationOf(exchange)]
  const givenUp = new AbortController()
  const forget = cutBy(cuts, () => givenUp.abort())
  try {
    const { place, port } = await hostPortOf(proxied, access, givenUp.signal)
    const isUpgrade = request.upgrade !== undefined
    const onHost = pathOnHost(proxied, place, port)
    const answer = await access.forwarder.forward({
      method: request.method,
      url: `${onHost}${proxied.path}${proxied.query}`,
      headers: withTrace(withoutEncodings(passedRequestHeaders(request.rawHeaders, isUpgrade)), exchange),
      body: bodyToPass(exchange),
      upgrade: request.upgrade,
      signal: givenUp.signal,
    })
    if (isOfHost(answer) && !(await mayProxy(exchange, place, access.host, givenUp.signal))) {
      giveUpAnswer(answer)
      throw withoutRight('pods/proxy', place)
    }
    requirePlausible(answer, exchange.request)
    const page = withOwnLinks(answer, onHost, ownPath(proxied))
    return await passedAnswer(page, request.method, cuts, workloadAnswerHeaders)
  } catch (error) {
    throw hostFailure(error)
  } finally {
    forget()
  }
}

function pathOnHost({ scheme }: ProxyRequest, { namespace, name }: ObjectName, port: number): string {
  return `/api/v1/namespaces/${namespace}/pods/${scheme}:${name}:${port}/proxy`
}

function ownPath({ resource, object, pathName }: ProxyRequest): string {
  return `/api/v1/namespaces/${object.namespace}/${resource}/${pathName}/proxy`
}

/** Possibly: an answer of the Pod looks the same. */
function isOfHost(answer: ForwardAnswer): boolean {
  return answer.form === 'answer' && (answer.status === 401 || answer.status === 403)
}

/** Asks the host itself, because a Pod could imitate its answer. */
async function mayProxy(
  { info: { verb } }: Exchange,
  { namespace }: ObjectName,
  host: KubeClient,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return await mayDo(host, { verb, group: '', resource: 'pods', subresource: 'proxy', namespace }, signal)
  } catch (error) {
    if (isRefusal(error, 401, 403)) return false
    throw error
  }
}

interface HostPort {
  readonly place: ObjectName
  readonly port: number
}

async function hostPortOf(proxied: ProxyRequest, access: PodAccess, signal: AbortSignal): Promise<HostPort> {
  if (proxied.resource === 'services') return portBehind(proxied, access, signal)
  const { virtual, copy } = await bothPods(proxied.object, access, signal)
  const port = portOfPod(virtual, proxied)
  const place = await placeOfCopy(virtual, proxied.object, access, copy)
  if (place === undefined) throw badRequest(`pod ${proxied.object.name} does not have a host assigned`)
  return { place, port }
}

/** How many Pods are tried on the host before giving up. */
const mostTried = 3

async function portBehind(proxied: ProxyRequest, access: PodAccess, signal: AbortSignal): Promise<HostPort> {
  const read = (type: ResourceType) => access.virtual.get(type, proxied.object, signal)
  const service = (await read(serviceType)) as Service
  const endpoints = (await read(endpointsType).catch((error) => {
    if (isRefusal(error, 404)) return {}
    throw error
  })) as Endpoints
  for (const { pod, uid, port } of anyOf(podsBehind(service, endpoints, proxied), access)) {
    const place = await placeOfPod(pod, uid, access, signal)
    if (place !== undefined) return { place, port }
  }
  throw unreachable(`no Pod of service ${JSON.stringify(proxied.object.name)} is on a node`)
}

/** Some of them, starting at a random position. */
function anyOf(pods: readonly PodBehind[], { random }: PodAccess): readonly PodBehind[] {
  const at = Buffer.from(random.bytes(4)).readUInt32LE() % pods.length
  return [...pods.slice(at), ...pods.slice(0, at)].slice(0, mostTried)
}

async function placeOfPod(
  name: ObjectName,
  uid: string,
  access: PodAccess,
  signal: AbortSignal,
): Promise<ObjectName | undefined> {
  const both = await bothPods(name, access, signal).catch((error) => {
    if (isRefusal(error, 404)) return undefined
    throw error
  })
  if (both === undefined || (uid !== '' && both.virtual.metadata.uid !== uid)) return undefined
  return placeOfCopy(both.virtual, name, access, both.copy)
}
