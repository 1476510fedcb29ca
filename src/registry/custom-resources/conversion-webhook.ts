import { ApiError } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import { apiVersionOf, type KubeObject } from '../../api/object.ts'
import type { CustomResourceDefinition } from '../../api/types/apiextensions-v1.ts'
import type { Random } from '../../base/random.ts'
import type { WebhookClient } from '../webhooks/webhook-client.ts'
import type { WebhookTraffic } from '../webhooks/webhook-traffic.ts'
import { type Conversion, conversionRequest, kindText, readConverted, WrongConversion } from './conversion-review.ts'

/** Converts objects of one version to another in one request, keeping their order. Throws ApiError. */
export type ConvertObjects = (
  objects: readonly KubeObject[],
  to: Kind,
  signal: AbortSignal,
) => Promise<readonly KubeObject[]>

export interface ConversionParts {
  readonly client: WebhookClient
  readonly traffic: WebhookTraffic
  readonly random: Random
}

/** For one request; a list takes as many as it needs. */
const timeoutMs = 30_000
const maxAnswerBytes = 2 * 1024 * 1024

/** Converts objects with the webhook of a definition. */
export function conversionBy(
  { metadata, spec }: CustomResourceDefinition,
  { client, traffic, random }: ConversionParts,
): ConvertObjects {
  const { clientConfig = {}, conversionReviewVersions } = spec.conversion?.webhook ?? {}
  const isOld = conversionReviewVersions?.find((version) => version === 'v1' || version === 'v1beta1') === 'v1beta1'
  const name = metadata.name ?? ''
  const ask = async (objects: readonly KubeObject[], desired: Kind, signal: AbortSignal) => {
    const reviewVersion = isOld ? 'v1beta1' : 'v1'
    const conversion: Conversion = { uid: random.uuid(), reviewVersion, desired, objects }
    const body = conversionRequest(conversion)
    const question = { client: clientConfig, body, timeoutMs, signal, maxAnswerBytes }
    const send = () => traffic.sending(body.length, () => client.ask(question))
    const answer = await traffic.request(() => traffic.call({ id: name, name }, send))
    return readConverted(answer, conversion)
  }
  return async (objects, to, signal) => {
    const wanted = apiVersionOf(to)
    if (objects.every(({ apiVersion }) => apiVersion === wanted)) return objects
    return toldAsFailure(objects, ask(objects, to, signal))
  }
}

/** The reader of an object must not be told that its request is wrong. */
export function conversionFailed(object: KubeObject, problem: string): ApiError {
  const message = `conversion webhook for ${kindText(object)} ${problem}`
  return new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 })
}

async function toldAsFailure<T>([first]: readonly KubeObject[], asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof ApiError || !(error instanceof Error) || first === undefined) throw error
    const reason = error.message.replace(/^failed to call webhook: /, '')
    throw conversionFailed(first, error instanceof WrongConversion ? reason : `failed: ${reason}`)
  }
}
