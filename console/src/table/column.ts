import type { ReactNode } from 'react'

/** Where a cell stands when there is no room for columns. */
export type NarrowPlace = 'title' | 'corner' | 'detail' | 'hidden'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  /** A track of a CSS grid. */
  readonly width: string
  readonly narrow: NarrowPlace
  readonly cell: (row: Row) => ReactNode
  /** Absent: rows cannot be sorted by it. Undefined values come last. */
  readonly sortBy?: (row: Row) => string | number | undefined
}

export interface Sort {
  readonly column: string
  readonly direction: 'ascending' | 'descending'
}
