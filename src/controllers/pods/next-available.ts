import { availableAtMs, type PodFacts } from './pod-facts.ts'

/** When the next Pod becomes available, of which there is no event. */
export function nextAvailableMs(pods: readonly PodFacts[], minReadySeconds: number, nowMs: number): number | undefined {
  const times = pods.map((pod) => availableAtMs(pod, minReadySeconds)).filter((atMs) => atMs !== undefined)
  const ahead = times.filter((atMs) => atMs > nowMs)
  return ahead.length === 0 ? undefined : ahead.reduce((first, atMs) => Math.min(first, atMs))
}
