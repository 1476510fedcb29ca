import type { AnnotateAudit } from '../contract.ts'
import type { ConfiguredWebhook } from './configured-webhook.ts'
import type { WebhookAnswer } from './review-answer.ts'

/** Which call about a request it was: keys of the record tell them apart, as those of Kubernetes do. */
export interface WebhookTurn {
  readonly round: number
  readonly index: number
}

/** Undefined: the webhook could not be asked, and the request goes on. */
export function annotateAnswer(
  webhook: Pick<ConfiguredWebhook, 'name' | 'type'>,
  answer: WebhookAnswer | undefined,
  turn: WebhookTurn,
  annotate: AnnotateAudit,
): void {
  if (answer === undefined) annotate(`failed-open.${keyOf(webhook.type, turn)}`, webhook.name)
  for (const [key, value] of answer?.annotations ?? []) annotate(`${webhook.name}/${key}`, value)
}

/** The patch itself is not on record: it may hold what is secret. */
export function annotateMutation(
  { configuration, name: webhook }: Pick<ConfiguredWebhook, 'configuration' | 'name'>,
  mutated: boolean,
  turn: WebhookTurn,
  annotate: AnnotateAudit,
): void {
  annotate(keyOf('mutating', turn), JSON.stringify({ configuration, webhook, mutated }))
}

const prefixes = {
  mutating: 'mutation.webhook.admission.k8s.io',
  validating: 'validating.webhook.admission.k8s.io',
} as const

function keyOf(type: ConfiguredWebhook['type'], { round, index }: WebhookTurn): string {
  return `${prefixes[type]}/round_${round}_index_${index}`
}
