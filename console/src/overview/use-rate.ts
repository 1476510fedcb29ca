import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { askTenantText } from '../api/tenant-answer.ts'
import { noRate, type RateState, sumOf, withTotal } from './metrics.ts'

const askEveryMs = 3_000

/** How fast counters grow, summed over several places. Metrics cannot be watched, so they are asked for. */
export function useRate(
  paths: readonly string[],
  name: string,
): { readonly rate: RateState; readonly problem: unknown } {
  const [rate, setRate] = useState(noRate)
  const counted = useRef(0)
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: ['rate', name, paths],
    queryFn: async () => {
      const texts = await Promise.allSettled(paths.map((path) => askTenantText(path)))
      const read = texts.flatMap((text) => (text.status === 'fulfilled' ? [text.value] : []))
      if (read.length === 0 && texts[0]?.status === 'rejected') throw texts[0].reason
      return read.reduce((sum, text) => sum + sumOf(text, name), 0)
    },
    enabled: paths.length > 0,
    refetchInterval: askEveryMs,
    retry: false,
  })
  useEffect(() => {
    if (data === undefined || counted.current === dataUpdatedAt) return
    counted.current = dataUpdatedAt
    setRate((before) => withTotal(before, dataUpdatedAt / 1000, data))
  }, [data, dataUpdatedAt])
  return { rate, problem: error ?? undefined }
}
