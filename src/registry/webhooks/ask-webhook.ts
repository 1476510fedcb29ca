import { timeout } from '../../api/error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Random } from '../../base/random.ts'
import type { ConfiguredWebhook } from './configured-webhook.ts'
import type { AdmissionAttributes, ShownKind } from './contract.ts'
import { readAnswer, type WebhookAnswer } from './review-answer.ts'
import { reviewRequest, type TextsFor } from './review-request.ts'
import type { WebhookClient } from './webhook-client.ts'
import { credentialsFor, type WebhookCredentials } from './webhook-credentials.ts'
import { failedCalling, WebhookFailure } from './webhook-failure.ts'
import type { WebhookMetrics } from './webhook-metrics.ts'
import type { WebhookTraffic } from './webhook-traffic.ts'

export interface AskingParts {
  readonly client: WebhookClient
  readonly traffic: WebhookTraffic
  readonly metrics: WebhookMetrics
  readonly elapsed: Clock
  readonly random: Random
  readonly log: Log
  /** Credentials presented to webhooks. Absent: none. */
  readonly credentials?: WebhookCredentials | undefined
}

export interface WebhookCall {
  readonly webhook: ConfiguredWebhook
  readonly shown: ShownKind
  readonly attributes: AdmissionAttributes
  readonly texts: TextsFor
  readonly signal: AbortSignal
  /** The common deadline of all webhooks for the request. */
  readonly deadlineMs: number
}

/** The webhook's answer. Undefined: the call failed, and its failurePolicy is Ignore. */
export async function askWebhook(call: WebhookCall, parts: AskingParts): Promise<WebhookAnswer | undefined> {
  const { webhook, attributes } = call
  const { metrics, elapsed, traffic, log } = parts
  const startedMs = elapsed.now()
  const spentMs = () => elapsed.now() - startedMs
  try {
    const answer = await traffic.call(webhook, () => answered(call, parts))
    metrics.record(webhook, attributes.operation, spentMs(), answer.isAllowed ? undefined : 'no_error')
    return answer
  } catch (error) {
    if (!(error instanceof WebhookFailure)) throw error
    metrics.record(webhook, attributes.operation, spentMs(), webhook.failsOpen ? undefined : 'calling_webhook_error')
    if (!webhook.failsOpen) throw failedCalling(webhook.name, error)
    metrics.recordFailOpen(webhook)
    log.warn('an admission webhook could not be called, and its failure policy is Ignore', {
      webhook: webhook.name,
      reason: error.message,
    })
    return undefined
  }
}

/** A validating webhook sends no patch. */
const maxVerdictBytes = 256 * 1024

async function answered(call: WebhookCall, parts: AskingParts): Promise<WebhookAnswer> {
  const { webhook, shown, attributes, signal } = call
  const { client, random, elapsed, traffic } = parts
  const credentials = parts.credentials?.[webhook.type]
  const texts = await call.texts(shown)
  const leftMs = call.deadlineMs - elapsed.now()
  if (leftMs <= 0) throw timeout('request did not complete within requested timeout')
  const uid = random.uuid()
  const body = reviewRequest(webhook, attributes, shown, texts, uid)
  const timeoutMs = Math.min(webhook.timeoutMs, leftMs)
  const question = {
    client: webhook.client,
    body,
    timeoutMs,
    signal,
    credentials: credentials && credentialsFor(credentials, webhook.client),
    ...(webhook.type === 'validating' && { maxAnswerBytes: maxVerdictBytes }),
  }
  const answer = await traffic.sending(body.length, () => client.ask(question))
  return readAnswer(answer, { ...webhook, uid })
}
