import { bodyOf, type JsonBody } from './answer-body.ts'
import { readExactly, Unreadable } from './received-json.ts'
import type { Transport, TransportRequest } from './transport/contract.ts'

/** Sends a request and reads the answer. Throws refusals of the server as ApiError. */
export async function ask(
  transport: Transport,
  request: TransportRequest,
  signal?: AbortSignal,
  read: (bytes: Buffer) => unknown = readExactly,
): Promise<JsonBody> {
  const answer = await transport.send(request, signal)
  try {
    return bodyOf(answer, transport.origin, read)
  } catch (error) {
    if (error instanceof Unreadable) throw new Unreadable(request.path.replace(/\?.*/, ''), error.problem)
    throw error
  }
}
