import { useEffect, useState } from 'react'

/**
 * What users have typed and not saved, for the time between the end of a session and the next sign-in in the same tab.
 * It stays in memory, and only the user who typed it gets it back.
 */
const shown = new Map<string, unknown>()
const kept = new Map<string, unknown>()
let keptFor = ''

/** To be called before the pages of a session that has ended disappear. */
export function keepUnsaved(user: string): void {
  restoreOnlyFor(user)
  for (const [place, value] of shown) kept.set(place, value)
}

/** To be called before the pages of a session appear. */
export function restoreOnlyFor(user: string): void {
  if (user !== keptFor) forgetUnsaved()
  keptFor = user
}

export function forgetUnsaved(): void {
  kept.clear()
}

/** Like `useState`, for what must not be lost when the session ends. The name is unique on its page. */
export function useUnsaved<T>(name: string, first: T): readonly [T, (value: T) => void] {
  const place = `${window.location.pathname} ${name}`
  const [value, setValue] = useState<T>(() => (kept.has(place) ? (kept.get(place) as T) : first))
  useEffect(() => {
    kept.delete(place)
    shown.set(place, value)
    return () => {
      shown.delete(place)
    }
  }, [place, value])
  return [value, setValue]
}
