import { visible } from '../../base/unseen.ts'
import { displayWidth } from './display-width.ts'

const gap = '   '

/** Rows in columns, each as wide as its widest cell; the last one is not padded. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(visible))
  const widths: number[] = []
  for (const row of cells) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell))
  }
  return cells
    .map(
      (row) =>
        `${row
          .map((cell, column) => padded(cell, widths[column] ?? 0))
          .join(gap)
          .trimEnd()}\n`,
    )
    .join('')
}

function padded(cell: string, width: number): string {
  return cell + ' '.repeat(width - displayWidth(cell))
}
