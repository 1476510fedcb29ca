import type { FieldError } from '../../api/field-error.ts'
import { goType } from '../../api/human/go-print.ts'
import { quoted } from '../../api/human/go-syntax.ts'
import { validateAnnotations } from '../../api/metadata/annotations.ts'
import { validateLabels } from '../../api/metadata/labels.ts'
import { apiVersionOf, type KubeObject, type ObjectMeta, parseApiVersion } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject, setMember } from '../../base/json/member.ts'
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

/** The webhook returned something wrong. The message continues a sentence that begins with the webhook. */
export class WrongConversion extends Error {}

/**
 * The objects as converted by the webhook, in order. It may change labels and annotations, but no other metadata.
 * Throws an Error that says why the answer is invalid.
 */
export function readConverted(answer: HttpAnswer, conversion: Conversion): readonly KubeObject[] {
  const { status, headers, body } = answer
  if (status < 200 || status >= 300) throw new Error(statusText(status, body.toString('utf8')))
  if (body.length === 0) {
    const contentType = headers['content-type'] ?? 'application/json'
    throw new Error(`0-length response with status code: ${status} and content type: ${contentType}`)
  }
  const review = parsedObjectReview(
    body,
    (problem) => {
      throw new Error(`couldn't get version/kind; json parse error: ${problem}`)
    },
    mostValues,
  )
  const converted = convertedIn(review, conversion)
  const { objects } = conversion
  if (converted.length !== objects.length) {
    throw new WrongConversion(`returned ${converted.length} objects, expected ${objects.length}`)
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
      repeatedText(result.message, longestMessage) ||
        `response.result.status was '${repeatedText(result.status)}', not 'Success'`,
    )
  }
  return Array.isArray(response.convertedObjects) ? response.convertedObjects : []
}

function restored(value: unknown, object: KubeObject, conversion: Conversion, index: number): KubeObject {
  const isSingle = conversion.objects.length === 1
  const what = isSingle ? 'object' : `converted object at index ${index}`
  requireDesiredKind(value, object, conversion, `returned invalid ${isSingle ? 'object at index 0' : what}`)
  const metadata = asMembers(value.metadata)
  requireSameObject(metadata, object, `returned invalid ${what}`)
  const { labels: _, annotations: __, ...kept } = object.metadata
  const changes = changeableMetadata(metadata, object, (problem) => {
    throw new WrongConversion(`returned invalid metadata${isSingle ? '' : ` in object at index ${index}`}: ${problem}`)
  })
  return {
    ...value,
    apiVersion: apiVersionOf(conversion.desired),
    kind: object.kind,
    metadata: { ...kept, ...changes },
  }
}

function requireDesiredKind(
  value: unknown,
  { kind: expected }: KubeObject,
  { desired }: Conversion,
  wrong: string,
): asserts value is Record<string, unknown> {
  if (!isJsonObject(value)) throw new WrongConversion(`${wrong}: it is ${goType(value)}`)
  const { apiVersion, kind } = value
  const wanted = apiVersionOf(desired)
  if (apiVersion !== wanted) {
    const received = repeatedText(apiVersion)
    throw new WrongConversion(`${wrong}: invalid groupVersion (expected ${wanted}, received ${received})`)
  }
  if (kind !== expected) {
    throw new WrongConversion(`${wrong}: invalid kind (expected ${expected}, received ${repeatedText(kind)})`)
  }
}

const identity = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const

function requireSameObject(metadata: Record<string, unknown>, object: KubeObject, wrong: string): void {
  for (const [member, named] of identity) {
    const [expected, found] = [object.metadata[member] ?? '', metadata[member] ?? '']
    if (found !== expected) {
      throw new WrongConversion(`${wrong}: must have the same ${named}: ${expected} != ${repeatedText(found)}`)
    }
  }
}

const changeable = [
  ['labels', 'metadata.labels', validateLabels],
  ['annotations', 'metadata.annotation', validateAnnotations],
] as const

function changeableMetadata(
  metadata: Record<string, unknown>,
  object: KubeObject,
  refuse: (problem: string) => never,
): Pick<ObjectMeta, 'labels' | 'annotations'> {
  const changes: { labels?: Texts; annotations?: Texts } = {}
  for (const [member, field, validate] of changeable) {
    const given = metadata[member] ?? undefined
    if (given === undefined) continue
    const texts = textsIn(member, given, refuse)
    const errors: FieldError[] = []
    if (!deepEqual(texts, object.metadata[member])) validate(field, texts, errors)
    const told = errors.map((error) => `${error.field}: ${error.message}`)
    if (told.length > 0) refuse(told.length === 1 ? told.join() : `[${told.join(', ')}]`)
    changes[member] = texts
  }
  return changes
}

type Texts = Readonly<Record<string, string>>

function textsIn(member: string, given: unknown, refuse: (problem: string) => never): Texts {
  if (!isJsonObject(given)) return refuse(`invalid metadata.${member} of type ${goType(given)} in converted object`)
  const values: Record<string, string> = {}
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== 'string') {
      return refuse(
        `metadata.${member}[${repeatedText(key)}] must be a string, but is ${goType(value)} in converted object`,
      )
    }
    setMember(values, key, value)
  }
  return values
}

/** How messages name the kind of an object to convert. */
export function kindText({ apiVersion, kind }: KubeObject): string {
  const { group, version } = parseApiVersion(apiVersion)
  return `${group}/${version}, Kind=${kind}`
}
