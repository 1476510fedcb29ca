import { networkOf } from '../base/network/network-of.ts'
import type { Exchange } from '../server/exchange.ts'
import type { BodyLimit, Response } from '../server/http.ts'
import { parseQuery, type Query } from '../server/request/query.ts'
import { callbackPrefix } from './begin-sign-in.ts'
import type { RedirectConnector } from './contract.ts'
import type { ReadBody } from './device/device-pages.ts'
import { SignOnFailure } from './failure.ts'
import { begunHere, type FinishingParts, finishSignIn } from './finish-sign-in.ts'
import type { ProviderTurns } from './provider-turns.ts'

const answerLimit: BodyLimit = { maxBytes: 512 * 1024, timeoutMs: 10_000 }

interface AnswerParts extends FinishingParts {
  readonly readBody: ReadBody
  readonly providerTurns: ProviderTurns
}

/** Handles the browser's return from a provider. */
export async function takeProviderAnswer(exchange: Exchange, parts: AnswerParts): Promise<Response> {
  const { request, info } = exchange
  const { pending, known } = await begunHere(exchange, callbackPrefix, parts)
  const state = info.query.get('state')
  if (state !== undefined && state !== pending.expected.state) {
    throw new SignOnFailure('expired', 'the answer is that to another sign-in of this browser')
  }
  const connector = await parts.connectors.open(known)
  if (connector.form === 'password') throw new SignOnFailure('untrusted', 'this connector sends no browsers back')
  const form = await formOf(exchange, connector, parts)
  const { expected } = pending
  const network = networkOf(request.clientAddress, 48)
  const answer = { url: answeredUrl(exchange, expected.redirectUri), expected, network, ...(form && { form }) }
  const asker = { owner: network, signal: request.signal }
  const identify = () => parts.providerTurns.take(known.uid, asker, () => connector.finish(answer, request.signal))
  return finishSignIn(identify, known, pending.destination, parts)
}

/** Undefined: the browser returns with a query. A return by the wrong method is refused. */
async function formOf(
  exchange: Exchange,
  { answersBy }: RedirectConnector,
  { readBody }: AnswerParts,
): Promise<Query | undefined> {
  if ((exchange.request.method === 'POST') !== (answersBy === 'form')) {
    throw new SignOnFailure('untrusted', 'the answer did not come in the way in which the provider must send it')
  }
  return answersBy === 'form' ? parseQuery((await readBody(exchange, answerLimit)).toString('utf8')) : undefined
}

/** The redirect URI that the provider knows, with the query of the browser's return. */
function answeredUrl({ request }: Exchange, redirectUri: string): URL {
  const url = new URL(redirectUri)
  const question = request.url.indexOf('?')
  url.search = question < 0 ? '' : request.url.slice(question)
  return url
}
