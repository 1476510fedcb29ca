import { useState } from 'react'

/** The value, or the last one while there is none. */
export function useLastKnown<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
