import { ApiError, internalError } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import { apiVersionOf, type KubeObject } from '../../api/object.ts'
import type { CustomResourceDefinition } from '../../api/types/apiextensions-v1.ts'
import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import type { WebhookClient } from '../webhooks/webhook-client.ts'
import type { WebhookTraffic } from '../webhooks/webhook-traffic.ts'
import { type Conversion, conversionRequest, kindText, readConverted } from './conversion-review.ts'

/** Objects of one version of a kind as another has them, in the same order. Throws ApiError. */
export type ConvertObjects = (
  objects: readonly KubeObject[],
  to: Kind,
  signal: AbortSignal,
) => Promise<readonly KubeObject[]>

export interface ConversionParts {
  readonly client: WebhookClient
  readonly traffic: WebhookTraffic
  readonly elapsed: Clock
  readonly random: Random
}

/** For one question; a list is as many as it needs. */
const longestCallMs = 30_000
const longestMs = 60_000
/** How much is sent with one question, unless it is a single object. */
const batchBytes = 256 * 1024
const maxAnswerBytes = 8 * 1024 * 1024

/** How the webhook of a definition converts its objects. */
export function conversionBy(
  { metadata, spec }: CustomResourceDefinition,
  { client, traffic, elapsed, random }: ConversionParts,
): ConvertObjects {
  const { clientConfig = {}, conversionReviewVersions } = spec.conversion?.webhook ?? {}
  const isOld = conversionReviewVersions?.find((version) => version === 'v1' || version === 'v1beta1') === 'v1beta1'
  const name = metadata.name ?? ''
  const ask = async (objects: readonly KubeObject[], desired: Kind, signal: AbortSignal, timeoutMs: number) => {
    const reviewVersion = isOld ? 'v1beta1' : 'v1'
    const conversion: Conversion = { uid: random.uuid(), reviewVersion, desired, objects }
    const body = conversionRequest(conversion)
    const question = { client: clientConfig, body, timeoutMs, signal, maxAnswerBytes }
    const answer = await traffic.request(() => traffic.call({ id: name, name }, () => client.ask(question)))
    return readConverted(answer, conversion)
  }
  return async (objects, to, signal) => {
    const deadlineMs = elapsed.now() + longestMs
    const wanted = apiVersionOf(to)
    const converted: KubeObject[] = []
    for (const batch of batches(objects)) {
      if (batch.every(({ apiVersion }) => apiVersion === wanted)) {
        converted.push(...batch)
        continue
      }
      const timeoutMs = Math.max(1, Math.min(longestCallMs, deadlineMs - elapsed.now()))
      converted.push(...(await toldAsFailure(batch, ask(batch, to, signal, timeoutMs))))
    }
    return converted
  }
}

function* batches(objects: readonly KubeObject[]): Generator<readonly KubeObject[]> {
  let batch: KubeObject[] = []
  let bytes = 0
  for (const object of objects) {
    const size = JSON.stringify(object).length
    if (batch.length > 0 && bytes + size > batchBytes) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(object)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

async function toldAsFailure<T>([first]: readonly KubeObject[], asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof ApiError || !(error instanceof Error) || first === undefined) throw error
    throw internalError(`conversion webhook for ${kindText(first)} failed: ${error.message}`)
  }
}
