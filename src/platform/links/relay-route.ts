import type { Attributes, Decision } from '../../api/access.ts'
import { type ApiError, serviceUnavailable } from '../../api/error.ts'
import { upgradeHeader } from '../../api/link.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { ConnectionError } from '../../client/connection/connection-error.ts'
import { carry } from '../../client/forward/carry.ts'
import type { ForwardAnswer, Forwarder, ForwardRequest } from '../../client/forward/contract.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { Exchange } from '../../server/exchange.ts'
import { asksForEndless } from '../../server/fairness/long-running.ts'
import { headerOf, type Output, type Response } from '../../server/http.ts'
import { headOnly } from '../../server/onward/head-only.ts'
import { requirePlausible } from '../../server/onward/passed-exchange.ts'
import { pump } from '../../server/onward/pump.ts'
import { readRequestInfo } from '../../server/request/request-info.ts'
import { endsWithHead } from '../../server/responses/bodyless.ts'
import type { Links } from './links.ts'
import { readRelayPath, relayRoot, unrelayedHeaders } from './relay-wire.ts'
import { replicaUser } from './replica-secret.ts'
import { requireNotBusy } from './route-to-virtual-cluster.ts'

/** Accepts requests from other replicas for tenants that are linked here. The route is hidden from other callers. */
export function relayRoute(links: Links): ExtraRoute {
  return (asked) => {
    const relayed = asked.caller === replicaUser ? readRelayPath(asked.request.url) : undefined
    if (relayed === undefined) return undefined
    asked.isEndless = isEndless(asked.request, relayed.url)
    return (exchange) => relay(links, exchange, relayed)
  }
}

/** Watches and streams take no place here either: the others of their virtual cluster would wait for them to end. */
function isEndless(request: Exchange['request'], url: string): boolean {
  return headerOf(request, upgradeHeader) !== undefined || asksForEndless(readRequestInfo(request.method, url))
}

/** Replicas may only relay requests. */
export const relayAuthorizer: Authorizer = {
  authorize: (attributes: Attributes): Decision => {
    if (attributes.user !== replicaUser) return { verdict: 'no-opinion', reason: '' }
    if ('path' in attributes && attributes.path.startsWith(relayRoot)) return { verdict: 'allow', reason: 'replica' }
    return { verdict: 'deny', reason: 'a replica only passes requests on' }
  },
  rulesFor: () => ({ resourceRules: [], pathRules: [], incomplete: false }),
}

async function relay(
  links: Links,
  { request }: Exchange,
  { project, name, url }: { readonly project: string; readonly name: string; readonly url: string },
): Promise<Response> {
  const link = links.find(project, name)
  if (link === undefined)
    throw serviceUnavailable(`the virtual cluster "${name}" is not linked to this replica any more`)
  requireNotBusy(link)
  const headers = unrelayedHeaders(request.rawHeaders)
  const upgrade = headerOf(request, upgradeHeader)
  const body = request.openBody({ isEndless: upgrade !== undefined })
  const { method, signal } = request
  const asked = {
    method,
    url,
    headers: headers.filter((_, index) => headers[index - (index % 2)] !== upgradeHeader),
    body: upgrade === undefined ? body : undefined,
    upgrade,
    signal,
  }
  const answer = await answerOf(link, asked).catch((error: unknown) => {
    // The replica that asked passes this on, so it must say what it would say itself of a link of its own.
    throw error instanceof ConnectionError ? unreached(project, name, error) : error
  })
  return answer.form === 'answer' ? passedOn(answer, method, signal) : joined(answer, body, signal)
}

async function answerOf(link: Forwarder, asked: ForwardRequest): Promise<ForwardAnswer> {
  const answer = await link.forward(asked)
  requirePlausible(answer, asked)
  return answer
}

function unreached(project: string, name: string, { message }: ConnectionError): ApiError {
  const [virtualCluster, ofProject] = [name, project].map((each) => JSON.stringify(each))
  return serviceUnavailable(
    `the virtual cluster ${virtualCluster} of project ${ofProject} cannot be reached: ${message}`,
    1,
  )
}

function passedOn(answer: Extract<ForwardAnswer, { form: 'answer' }>, method: string, signal: AbortSignal): Response {
  const { status, headers, body } = answer
  if (endsWithHead(method, status)) return { status, headers, body: headOnly(body, [signal]) }
  return { status, headers, body: { form: 'stream', source: body, start: (output) => pump(body, output, [signal]) } }
}

/** On HTTP/2, an upgraded connection is a stream that stays open in both directions. */
function joined(
  { protocol, headers, connection }: Extract<ForwardAnswer, { form: 'upgraded' }>,
  body: ReturnType<Exchange['request']['openBody']>,
  signal: AbortSignal,
): Response {
  const start = (output: Output) => {
    if (body === undefined) connection.end()
    else carry(body, connection)
    pump(connection, output, [signal])
  }
  return {
    status: 200,
    headers: [upgradeHeader, protocol, ...headers],
    body: { form: 'stream', source: connection, start },
  }
}
