import { timestamp } from '../../base/clock.ts'
import type { PodFacts } from '../pods/pod-facts.ts'

/** When the change happened for which endpoints were last written. It measures the latency. */
export const triggerTimeAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time'

/** The earliest change of readiness among the Pods that caused the write; none if the write has other causes. */
export function triggerTime(changed: readonly PodFacts[], serviceCreated: string | undefined): string | undefined {
  const times = changed.flatMap(({ readyChangedMs }) => (readyChangedMs === undefined ? [] : [readyChangedMs]))
  const all = serviceCreated === undefined ? times : [...times, Date.parse(serviceCreated)]
  return all.length === 0 ? undefined : timestamp(all.reduce((first, each) => Math.min(first, each)))
}

export function withTriggerTime(
  annotations: Readonly<Record<string, string>> | undefined,
  time: string | undefined,
): Readonly<Record<string, string>> {
  const { [triggerTimeAnnotation]: _, ...rest } = annotations ?? {}
  return time === undefined ? rest : { ...rest, [triggerTimeAnnotation]: time }
}
