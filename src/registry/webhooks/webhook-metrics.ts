import { DurationHistogram } from '../../base/duration-histogram.ts'
import type { ConfiguredWebhook } from './configured-webhook.ts'
import type { Operation } from './contract.ts'

/** Upper bounds in seconds. */
const bounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25]
/** Users name webhooks: further names are counted together. */
const mostNames = 200
const otherName = 'other'

export type RejectionType = 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error'

/** Counts and durations of calls, under the metric names of Kubernetes. */
export class WebhookMetrics {
  readonly #names = new Set<string>()
  readonly #durations = new Map<string, DurationHistogram>()
  readonly #rejections = new Map<string, number>()
  readonly #failOpen = new Map<string, number>()

  /** `rejection`: the request is refused, because of the answer or because there is none. */
  record(webhook: ConfiguredWebhook, operation: Operation, durationMs: number, rejection?: RejectionType): void {
    const labels = `${this.#labels(webhook)},operation="${operation}"`
    this.#recordDuration(`${labels},rejected="${rejection !== undefined}"`, durationMs)
    if (rejection !== undefined) count(this.#rejections, `${labels},error_type="${rejection}"`)
  }

  recordFailOpen(webhook: ConfiguredWebhook): void {
    count(this.#failOpen, this.#labels(webhook))
  }

  render(): string {
    const duration = 'apiserver_admission_webhook_admission_duration_seconds'
    const rejection = 'apiserver_admission_webhook_rejection_count'
    const failOpen = 'apiserver_admission_webhook_fail_open_count'
    return [
      `# HELP ${duration} Time that a webhook took to answer.`,
      `# TYPE ${duration} histogram`,
      ...[...this.#durations].flatMap(([labels, each]) => each.lines(duration, labels)),
      `# HELP ${rejection} Requests refused because of a webhook.`,
      `# TYPE ${rejection} counter`,
      ...[...this.#rejections].map(([labels, total]) => `${rejection}{${labels}} ${total}`),
      `# HELP ${failOpen} Failed calls that were ignored.`,
      `# TYPE ${failOpen} counter`,
      ...[...this.#failOpen].map(([labels, total]) => `${failOpen}{${labels}} ${total}`),
      '',
    ].join('\n')
  }

  #labels({ name, type }: ConfiguredWebhook): string {
    if (this.#names.size < mostNames) this.#names.add(name)
    const shown = this.#names.has(name) ? name : otherName
    return `name="${shown}",type="${type === 'mutating' ? 'admit' : 'validating'}"`
  }

  #recordDuration(labels: string, durationMs: number): void {
    const durations = this.#durations.get(labels) ?? new DurationHistogram(bounds)
    this.#durations.set(labels, durations)
    durations.record(durationMs)
  }
}

function count(counts: Map<string, number>, labels: string): void {
  counts.set(labels, (counts.get(labels) ?? 0) + 1)
}
