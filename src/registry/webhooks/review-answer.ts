import { quoted } from '../../api/human/go-syntax.ts'
import { asJson, asMembers, asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { HttpAnswer } from '../../client/answer-body.ts'
import type { ConfiguredWebhook } from './configured-webhook.ts'
import { parsedReview, repeatedText } from './review-body.ts'
import { typedResponse } from './typed-response.ts'
import { statusText, WebhookFailure } from './webhook-failure.ts'

/** A webhook's answer. Its members have valid types, and lengths that a caller may be shown. */
export interface WebhookAnswer {
  readonly isAllowed: boolean
  readonly status: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
  /** Audit annotations for the request. */
  readonly annotations: readonly (readonly [key: string, value: string])[]
  /** A JSON Patch as text; empty if there is none. */
  readonly patch: string
  readonly patchType: string
}

type Expected = Pick<ConfiguredWebhook, 'type' | 'reviewVersion'> & { readonly uid: string }

const mostWarnings = 50
const longestWarning = 4_096
const mostAnnotations = 50
const longestAnnotation = 4_096
const longestMessage = 1_000
const longestStatus = 16 * 1024

/** Reads a webhook's response, which may be anything. Throws WebhookFailure if it is invalid. */
export function readAnswer(answer: HttpAnswer, expected: Expected): WebhookAnswer {
  const { status, headers, body } = answer
  if (status < 200 || status >= 300)
    throw WebhookFailure.toCall(saidInStatus(body) || statusText(status, saidText(headers['content-type'], body)))
  if (body.length === 0) {
    const contentType = headers['content-type'] ?? 'application/json'
    throw WebhookFailure.toCall(`0-length response with status code: ${status} and content type: ${contentType}`)
  }
  const review = parsedReview(body, (problem) => {
    throw WebhookFailure.toCall(`couldn't get version/kind; json parse error: ${problem}`)
  })
  requireKnownType(review)
  const response = typedResponse(review.response, (problem) => {
    throw WebhookFailure.toCall(problem)
  })
  if (response === undefined) throw WebhookFailure.invalidAnswer('webhook response was absent')
  requireExpected(review, response, expected)
  const { patch, patchType } = patchIn(response, expected)
  return {
    isAllowed: response.allowed === true,
    status: asMembers(response.status),
    warnings: textsIn(response.warnings),
    annotations: annotationsIn(response.auditAnnotations),
    patch,
    patchType,
  }
}

/** An error may be told by a Status. */
function saidInStatus(body: Buffer): string {
  if (body.length > longestStatus) return ''
  const { kind, apiVersion, message } = asMembers(asJson(body.toString('utf8')))
  return kind === 'Status' && apiVersion === 'v1' ? repeatedText(message, longestMessage) : ''
}

function saidText(contentType = 'text/plain', body: Buffer): string {
  return contentType.startsWith('text/') ? body.toString('utf8') : 'unknown'
}

/** A response without a type is treated as a review for now. */
function requireKnownType({ apiVersion = '', kind = '' }: Record<string, unknown>): void {
  if (apiVersion === '' && kind === '') return
  const isKnown = apiVersion === 'admission.k8s.io/v1' || apiVersion === 'admission.k8s.io/v1beta1'
  if (isKnown && kind === 'AdmissionReview') return
  throw WebhookFailure.toCall(
    `no kind ${quoted(repeatedText(kind))} is registered for version ${quoted(repeatedText(apiVersion))}`,
  )
}

function requireExpected(
  { apiVersion = '', kind = '' }: Record<string, unknown>,
  { uid }: Record<string, unknown>,
  expected: Expected,
): void {
  const wanted = `admission.k8s.io/${expected.reviewVersion}`
  if (kind === 'AdmissionReview' && apiVersion !== '' && apiVersion !== wanted) {
    const got = asText(apiVersion).split('/')[1]
    throw WebhookFailure.toCall(
      `converting (${got}.AdmissionReview) to (${expected.reviewVersion}.AdmissionReview): unknown conversion`,
    )
  }
  if (apiVersion !== wanted || kind !== 'AdmissionReview') {
    const got = `${apiVersion === '' ? '/' : repeatedText(apiVersion)}, Kind=${repeatedText(kind)}`
    throw WebhookFailure.invalidAnswer(`expected webhook response of ${wanted}, Kind=AdmissionReview, got ${got}`)
  }
  if (expected.reviewVersion === 'v1' && uid !== expected.uid) {
    const got = quoted(repeatedText(uid))
    throw WebhookFailure.invalidAnswer(`expected response.uid=${quoted(expected.uid)}, got ${got}`)
  }
}

function patchIn(
  response: Record<string, unknown>,
  { type, reviewVersion }: Expected,
): Pick<WebhookAnswer, 'patch' | 'patchType'> {
  const patch = Buffer.from(asText(response.patch), 'base64').toString('utf8')
  const given = typeof response.patchType === 'string' ? response.patchType : undefined
  if (type === 'validating') {
    if (reviewVersion === 'v1beta1') return { patch: '', patchType: '' }
    if (patch !== '') throw WebhookFailure.invalidAnswer('validating webhook may not return response.patch')
    if (given !== undefined) throw WebhookFailure.invalidAnswer('validating webhook may not return response.patchType')
    return { patch, patchType: '' }
  }
  if (reviewVersion === 'v1beta1') return { patch, patchType: 'JSONPatch' }
  if (patch !== '' && given === undefined) {
    throw WebhookFailure.invalidAnswer('webhook returned response.patch but not response.patchType')
  }
  if (patch === '' && given !== undefined) {
    throw WebhookFailure.invalidAnswer('webhook returned response.patchType but not response.patch')
  }
  return { patch, patchType: given ?? '' }
}

function textsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  const texts = value.filter((each) => typeof each === 'string').slice(0, mostWarnings)
  return texts.map((text) => text.slice(0, longestWarning))
}

function annotationsIn(value: unknown): WebhookAnswer['annotations'] {
  if (!isJsonObject(value)) return []
  const entries = Object.entries(value).slice(0, mostAnnotations)
  return entries.flatMap(([key, each]) => (typeof each === 'string' ? [[key, each.slice(0, longestAnnotation)]] : []))
}
