import type { AnnotateAudit } from '../contract.ts'
import type { ConfiguredWebhook } from './configured-webhook.ts'
import type { WebhookAnswer } from './review-answer.ts'

/** Identifies a call for a request: annotation keys contain it, as in Kubernetes. */
export interface WebhookTurn {
  readonly round: number
  readonly index: number
}

/** Without an answer, the webhook could not be called, and the request continues. */
export function annotateAnswer(
  webhook: Pick<ConfiguredWebhook, 'name' | 'type'>,
  answer: WebhookAnswer | undefined,
  turn: WebhookTurn,
  annotate: AnnotateAudit,
): void {
  if (answer === undefined) annotate(`failed-open.${keyOf(webhook.type, turn)}`, webhook.name)
  for (const [key, value] of answer?.annotations ?? []) annotate(`${webhook.name}/${key}`, value)
}

/** The patch itself is not recorded: it may contain secrets. */
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
