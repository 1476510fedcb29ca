import { ApiError, unreachable } from '../../api/error.ts'
import { refusalOf } from '../../client/answer-body.ts'
import type { ForwardAnswer } from '../../client/forward/contract.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { AskedOfPod } from './asked.ts'

const longestRefusal = 64 * 1024

type PlainAnswer = ForwardAnswer & { readonly form: 'answer' }

/** What the host refused, in the words of the virtual cluster. */
export async function hostRefusal(
  answer: PlainAnswer,
  { pod, subresource }: AskedOfPod,
  place: ObjectName,
): Promise<Error> {
  const body = await firstBytes(answer)
  if (answer.status === 401 || answer.status === 403) return withoutRight(`pods/${subresource}`, place)
  const refusal = refusalOf({ status: answer.status, headers: headersOf(answer), body }, 'the host')
  if (!(refusal instanceof ApiError)) return refusal
  const { message = '', details = {} } = refusal.status
  return new ApiError({
    ...refusal.status,
    message: message.replaceAll(place.name, pod.name),
    details: { ...details, ...(details.name === place.name && { name: pod.name }) },
  })
}

/** What the host says of the tenant's own account is not for its users. */
export function withoutRight(resource: string, { namespace }: ObjectName): ApiError {
  const help = `its operator can allow ${resource} in the namespace ${namespace}`
  return unreachable(`the host does not let this virtual cluster reach into its Pods; ${help}`)
}

/** Leaving the loop gives the rest up. */
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
