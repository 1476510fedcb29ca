import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { rightsAskedEveryMs } from '../api/access-review.ts'
import { metricsOf } from '../api/metrics-text.ts'
import { isCode } from '../api/problem.ts'
import type { Fetched } from '../fetched/fetched.ts'
import { useAsked } from '../fetched/use-asked.ts'
import { noRate, type Rate, sumOf, type Totals, withTotals } from './metrics.ts'

const askEveryMs = 3_000

/**
 * How fast counters grow, summed over the places that answer: the platform, or virtual clusters. Metrics cannot be
 * watched, so they are polled.
 */
export function useRate(places: readonly string[], name: string): Fetched<Rate> {
  const [rate, setRate] = useState(noRate)
  const counted = useRef<Totals>(undefined)
  const asked = useAsked<Totals>({
    queryKey: ['rate', name, places],
    queryFn: ({ client }) => totalsOf(client, places, name),
    refetchInterval: ({ state }) => (isCode(state.error, 401, 403) ? rightsAskedEveryMs : askEveryMs),
    structuralSharing: false,
    retry: false,
  })
  const totals = asked.state === 'known' ? asked.value : undefined
  useEffect(() => {
    if (totals === undefined || counted.current === totals) return
    counted.current = totals
    setRate((before) => withTotals(before, Date.now() / 1000, totals))
  }, [totals])
  if (asked.state === 'failed') return asked
  if (rate.times.length < 2) return { state: 'loading' }
  const outdated = asked.state === 'known' ? asked.outdated : undefined
  return { state: 'known', value: rate, ...(outdated !== undefined && { outdated }) }
}

async function totalsOf(client: QueryClient, places: readonly string[], name: string): Promise<Totals> {
  const texts = await Promise.allSettled(places.map((place) => metricsOf(client, place)))
  const totals = new Map<string, number>()
  for (const [position, text] of texts.entries())
    if (text.status === 'fulfilled') totals.set(places[position] ?? '', sumOf(text.value, name))
  const [first] = texts
  if (totals.size === 0 && first?.status === 'rejected') throw first.reason
  return totals
}
