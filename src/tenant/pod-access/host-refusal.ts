import { ApiError, serviceUnavailable, unreachable } from '../../api/error.ts'
import { refusalOf } from '../../client/answer-body.ts'
import { ConnectionError } from '../../client/connection/connection-error.ts'
import type { ForwardAnswer } from '../../client/forward/contract.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { BrokenAnswer } from '../../server/onward/answer.ts'
import type { PodRequest } from './pod-request.ts'

const longestRefusal = 64 * 1024

type PlainAnswer = ForwardAnswer & { readonly form: 'answer' }

/** A refusal of the host, in the words of the virtual cluster. */
export async function hostRefusal(
  answer: PlainAnswer,
  { pod, subresource, container: virtualContainer }: PodRequest,
  { place, container }: { readonly place: ObjectName; readonly container: string },
): Promise<Error> {
  const body = await firstBytes(answer)
  if (answer.status === 401 || answer.status === 403) return withoutRight(`pods/${subresource}`, place)
  const refusal = refusalOf({ status: answer.status, headers: headersOf(answer), body }, 'the host')
  if (!(refusal instanceof ApiError)) return refusal
  const { message = '', details = {} } = refusal.status
  const withVirtualNames = (text: string) => {
    const named = text.replaceAll(place.name, pod.name)
    return container === '' || virtualContainer === '' ? named : named.replaceAll(container, virtualContainer)
  }
  return new ApiError({
    ...refusal.status,
    message: withVirtualNames(message),
    details: { ...details, ...(details.name === place.name && { name: pod.name }) },
  })
}

/** The host's messages about the tenant's own account are not for its users. */
export function withoutRight(resource: string, { namespace }: ObjectName): ApiError {
  const help = `its operator can allow ${resource} in the namespace ${namespace}`
  return unreachable(`the host does not let this virtual cluster reach into its Pods; ${help}`)
}

/** A request that does not reach the host, or an answer that does not return. */
export function hostFailure(error: unknown): unknown {
  if (error instanceof ConnectionError || error instanceof BrokenAnswer) {
    return serviceUnavailable(`the host cannot be reached: ${error.message}`, 1)
  }
  return error
}

/** Leaving the loop discards the rest. */
async function firstBytes({ body }: PlainAnswer): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length > longestRefusal) break
  }
  return Buffer.concat(chunks)
}

function headersOf({ headers }: PlainAnswer): Record<string, string> {
  const pairs = headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1] ?? ''] as const] : []))
  return Object.fromEntries(pairs)
}
