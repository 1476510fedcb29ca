import type { MetricSpec } from '../../api/types/autoscaling-v2.ts'
import type { Clock } from '../../base/clock.ts'
import type { ListReading, ReadList } from '../../registry/aggregation/read-list.ts'
import { type AskedAbout, metricQuestion, usageQuestion } from './metric-questions.ts'

/** The answers of metrics APIs for one reconciliation of an autoscaler. */
export interface MetricReadings {
  /** The usage of Pods; undefined: it was not requested. */
  readonly usage: ListReading | undefined
  /** One per metric, at the metric's index; set for named metrics. */
  readonly named: readonly (ListReading | undefined)[]
}

export const noReadings: MetricReadings = { usage: undefined, named: [] }

/** For all requests of one reconciliation: an autoscaler may have many metrics, and each of their servers may be slow. */
const patienceMs = 10_000

const tooLate: ListReading = { outcome: 'failed', problem: 'the metrics before it took too long to be answered' }

/** One after the other, so that no autoscaler occupies more than one connection of a server. */
export async function readMetrics(
  specs: readonly MetricSpec[],
  about: AskedAbout & { readonly asksUsage: boolean },
  { read, clock, signal }: { readonly read: ReadList; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<MetricReadings> {
  const endMs = clock.now() + patienceMs
  const usage = about.asksUsage && specs.some(isAboutUsage) ? await read(usageQuestion(about), signal) : undefined
  const named: (ListReading | undefined)[] = []
  for (const spec of specs) {
    const question = metricQuestion(spec, about)
    if (question === undefined) named.push(undefined)
    else if ('problem' in question) named.push({ outcome: 'failed', problem: question.problem })
    else named.push(clock.now() > endMs ? tooLate : await read(question, signal))
  }
  return { usage, named }
}

function isAboutUsage({ resource, containerResource }: MetricSpec): boolean {
  return resource !== undefined || containerResource !== undefined
}
