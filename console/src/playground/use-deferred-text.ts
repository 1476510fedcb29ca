import { useEffect, useState } from 'react'

const quietMs = 350

/** The text, once it has not changed for a short time. */
export function useDeferredText(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), quietMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
