import { useEffect, useRef, useState } from 'react'

/**
 * What users have typed and not saved, for the time between the end of a session and the next sign-in in the same tab,
 * and while they are elsewhere in the console. It stays in memory, and only the user who typed it gets it back.
 */
const shown = new Map<string, unknown>()
const kept = new Map<string, unknown>()
/** Empty: nothing is kept for any user. */
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

/** What is still shown is not kept either when it disappears. */
export function forgetUnsaved(): void {
  kept.clear()
  keptFor = ''
}

/** Like `useState`, for what must not be lost when the session ends. The name is unique on its page. */
export function useUnsaved<T>(name: string, first: T): readonly [T, (value: T) => void] {
  const place = usePlace(name)
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

/** The same for what must also outlive a look at another tab or page. */
export function useDraft<T>(name: string, first: T): readonly [T, (value: T) => void] {
  const place = usePlace(name)
  const [value, setValue] = useUnsaved(name, first)
  const latest = useRef<{ readonly value: T; readonly isChanged: boolean }>(undefined)
  useEffect(() => {
    latest.current = { value, isChanged: value !== first }
  }, [value, first])
  useEffect(
    () => () => {
      if (keptFor !== '' && latest.current?.isChanged === true) kept.set(place, latest.current.value)
    },
    [place],
  )
  return [value, setValue]
}

/** The address may have changed before a page disappears. */
function usePlace(name: string): string {
  const [place] = useState(() => `${window.location.pathname} ${name}`)
  return place
}
