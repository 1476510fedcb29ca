import { quoted } from '../../api/human/go-syntax.ts'
import { apiVersionOf, type KubeObject, parseApiVersion } from '../../api/object.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { printJson } from '../../base/json/print.ts'
import type { HttpAnswer } from '../../client/answer-body.ts'
import { parsedObjectReview, repeatedText } from '../webhooks/review-body.ts'
import { statusText } from '../webhooks/webhook-failure.ts'

export interface Conversion {
  readonly uid: string
  readonly reviewVersion: 'v1' | 'v1beta1'
  readonly desired: { readonly group: string; readonly version: string }
  readonly objects: readonly KubeObject[]
}

/** For all objects together: a single one may have as many values as a body. */
const mostValues = 75_000
const longestMessage = 1_000

/** The request to a conversion webhook, as JSON. */
export function conversionRequest({ uid, reviewVersion, desired, objects }: Conversion): string {
  const request = { uid, desiredAPIVersion: apiVersionOf(desired), objects }
  return printJson({ kind: 'ConversionReview', apiVersion: `apiextensions.k8s.io/${reviewVersion}`, request })
}

/**
 * The objects as converted by the webhook, in order. It may change labels and annotations, but no other metadata.
 * Throws an Error that says why the answer is invalid.
 */
export function readConverted(answer: HttpAnswer, conversion: Conversion): readonly KubeObject[] {
  const { status, body } = answer
  if (status < 200 || status >= 300) throw new Error(statusText(status, body.toString('utf8')))
  const review = parsedObjectReview(
    body,
    (problem) => {
      throw new Error(`its answer is not a JSON object: ${problem}`)
    },
    mostValues,
  )
  const converted = convertedIn(review, conversion)
  const { objects } = conversion
  if (converted.length !== objects.length) {
    throw new Error(`it returned ${converted.length} objects, expected ${objects.length}`)
  }
  return objects.map((object, index) => restored(converted[index], object, conversion, index))
}

function convertedIn(review: Record<string, unknown>, { uid, reviewVersion }: Conversion): readonly unknown[] {
  const { apiVersion = '', kind = '', response } = review
  const wanted = `apiextensions.k8s.io/${reviewVersion}`
  if (apiVersion !== wanted || kind !== 'ConversionReview') {
    const got = `${repeatedText(apiVersion)}, Kind=${repeatedText(kind)}`
    throw new Error(`expected webhook response of ${wanted}, Kind=ConversionReview, got ${got}`)
  }
  if (!isJsonObject(response)) throw new Error('no response provided')
  if (reviewVersion === 'v1' && response.uid !== uid) {
    throw new Error(`expected response.uid=${quoted(uid)}, got ${quoted(repeatedText(response.uid))}`)
  }
  const result = asMembers(response.result)
  if (result.status !== 'Success') {
    throw new Error(
      repeatedText(result.message, longestMessage) || `response.result.status was '${repeatedText(result.status)}'`,
    )
  }
  return Array.isArray(response.convertedObjects) ? response.convertedObjects : []
}

function restored(value: unknown, object: KubeObject, { desired }: Conversion, index: number): KubeObject {
  const fail = (problem: string): never => {
    throw new Error(`it returned invalid converted object at index ${index}: ${problem}`)
  }
  if (!isJsonObject(value) || !isJsonObject(value.metadata)) return fail('it has no metadata')
  const { apiVersion, kind, metadata } = value
  const wanted = apiVersionOf(desired)
  if (apiVersion !== wanted) {
    return fail(`invalid groupVersion (expected ${wanted}, received ${repeatedText(apiVersion)})`)
  }
  if (kind !== object.kind) return fail(`invalid kind (expected ${object.kind}, received ${repeatedText(kind)})`)
  for (const name of ['name', 'namespace', 'uid'] as const) {
    if ((metadata[name] ?? '') !== (object.metadata[name] ?? ''))
      return fail(`invalid metadata: must have the same ${name}`)
  }
  const { labels: _, annotations: __, ...kept } = object.metadata
  return {
    ...value,
    apiVersion: wanted,
    kind: object.kind,
    metadata: {
      ...kept,
      ...(isJsonObject(metadata.labels) && { labels: textsIn(metadata.labels) }),
      ...(isJsonObject(metadata.annotations) && { annotations: textsIn(metadata.annotations) }),
    },
  }
}

function textsIn(values: Record<string, unknown>): Record<string, string> {
  const texts = Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts)
}

/** How messages name the kind of an object to convert. */
export function kindText({ apiVersion, kind }: KubeObject): string {
  const { group, version } = parseApiVersion(apiVersion)
  return `${group}/${version}, Kind=${kind}`
}
