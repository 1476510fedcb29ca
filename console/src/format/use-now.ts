import { useEffect, useState } from 'react'

/** The time of day, read again every so often, for ages that are on the screen. */
export function useNow(everyMs = 10_000): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}
