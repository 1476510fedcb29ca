import { bodyOf, type JsonBody } from './answer-body.ts'
import { holdsRoundedNumber, mayBeRounded, RoundedNumber } from './rounded-numbers.ts'
import type { Transport, TransportRequest } from './transport/contract.ts'

/** Sends a request and reads the answer. Throws what the server refuses as ApiError. */
export async function ask(transport: Transport, request: TransportRequest, signal?: AbortSignal): Promise<JsonBody> {
  const answer = await transport.send(request, signal)
  const body = bodyOf(answer, transport.origin)
  if (mayBeRounded(answer.text) && holdsRoundedNumber(body)) throw new RoundedNumber(request.path.replace(/\?.*/, ''))
  return body
}
