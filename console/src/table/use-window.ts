import { type RefObject, useEffect, useState } from 'react'

export interface RowWindow {
  readonly first: number
  /** Exclusive. */
  readonly end: number
}

const overscan = 4
const step = 4

/**
 * Which of many rows of equal height are visible. It costs the same for ten rows as for a million, and changes only
 * after the user has scrolled by several rows.
 */
export function useWindow(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number): RowWindow {
  const [seen, setSeen] = useState({ top: 0, rows: 15 })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const look = () => {
      const top = Math.floor(element.scrollTop / rowHeight / step) * step
      const rows = Math.ceil(element.clientHeight / rowHeight)
      setSeen((before) => (before.top === top && before.rows === rows ? before : { top, rows }))
    }
    look()
    const watcher = new ResizeObserver(look)
    watcher.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      watcher.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller, rowHeight])
  const first = Math.max(0, Math.min(seen.top, count - seen.rows) - overscan)
  return { first, end: Math.min(count, first + seen.rows + step + 2 * overscan) }
}
