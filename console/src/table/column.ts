import type { ReactNode } from 'react'

/** The position of a cell if there is no room for columns. */
export type NarrowPlace = 'title' | 'corner' | 'detail' | 'hidden'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  /** In rem. */
  readonly minWidth: number
  /** The share of the remaining width; 0 or absent: none. */
  readonly grow?: number
  readonly narrow: NarrowPlace
  /** Shown before the value if there is no room for columns and the value alone is not clear. */
  readonly narrowLabel?: string
  readonly cell: (row: Row) => ReactNode
  /** Absent: rows cannot be sorted by it. Undefined values come last. */
  readonly sortBy?: (row: Row) => string | number | undefined
}

export interface Sort {
  readonly column: string
  readonly direction: 'ascending' | 'descending'
}

/** The tracks of a grid, and the width below which it must scroll. */
export function trackOf(columns: readonly Pick<Column<never>, 'minWidth' | 'grow'>[]): {
  readonly template: string
  readonly minWidth: string
} {
  const tracks = columns.map(({ minWidth, grow = 0 }) =>
    grow === 0 ? `${minWidth}rem` : `minmax(${minWidth}rem, ${grow}fr)`,
  )
  return { template: tracks.join(' '), minWidth: `${columns.reduce((sum, column) => sum + column.minWidth, 0)}rem` }
}
