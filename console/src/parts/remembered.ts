import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'

declare module '@tanstack/history' {
  interface HistoryState {
    /** How the page of this entry is shown, by the names of the parts. */
    readonly shownAs?: Readonly<Record<string, unknown>>
  }
}

/**
 * Like `useState`, for how a page is shown: the way back to it finds it as it was, and a link to it as at first. The
 * name is unique on its page.
 */
export function useRemembered<T>(
  name: string,
  first: T,
  isValid: (value: unknown) => value is T,
): readonly [T, (value: T) => void] {
  const { history } = useRouter()
  const [value, setValue] = useState<T>(() => {
    const before = history.location.state.shownAs?.[name]
    return isValid(before) ? before : first
  })
  const change = (next: T) => {
    setValue(next)
    const { href, state } = history.location
    history.replace(href, { ...state, shownAs: { ...state.shownAs, [name]: next } })
  }
  return [value, change]
}
