import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'

export interface RowFocus {
  /** The row with the focus, which stays rendered wherever the user scrolls: without it, the focus would be lost. */
  readonly focused: string | undefined
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void
  readonly onBlur: () => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

/** The first row is the header. */
const firstRowIndex = 2

/** The arrow keys, Page Up, Page Down, Home and End move between rows, also to rows that are not rendered yet. */
export function useRowFocus(
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
  count: number,
  keyAt: (index: number) => string | undefined,
): RowFocus {
  const [focused, setFocused] = useState<string>()
  const wanted = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (focused === undefined || wanted.current === undefined) return
    const row = `[aria-rowindex="${wanted.current + firstRowIndex}"]`
    wanted.current = undefined
    scroller.current?.querySelector<HTMLElement>(`${row} :is(a, button)`)?.focus()
  }, [focused, scroller])
  return {
    focused,
    onFocus: ({ target }) => setFocused(keyAt(rowOf(target))),
    onBlur: () => wanted.current === undefined && setFocused(undefined),
    onKeyDown: (event) => {
      if (!(event.target instanceof HTMLElement) || event.target.closest('[role=menu]') !== null) return
      const from = rowOf(event.target)
      const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
      const to = Math.max(0, Math.min(count - 1, targetOf(event.key, from, page, count)))
      if (from < 0 || Number.isNaN(to)) return
      event.preventDefault()
      if (to === from) return
      wanted.current = to
      setFocused(keyAt(to))
    },
  }
}

/** Negative outside the rows. */
function rowOf(element: Element): number {
  return Number(element.closest('[role=row]')?.getAttribute('aria-rowindex') ?? 0) - firstRowIndex
}

/** Not a number for all other keys. */
function targetOf(key: string, from: number, page: number, count: number): number {
  switch (key) {
    case 'ArrowDown':
      return from + 1
    case 'ArrowUp':
      return from - 1
    case 'PageDown':
      return from + page
    case 'PageUp':
      return from - page
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return Number.NaN
  }
}
