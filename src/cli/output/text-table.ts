import { visible } from '../../base/unseen.ts'

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

const unseen = /\p{Mark}|\p{Default_Ignorable_Code_Point}/u
const wide =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\uff01-\uff60]/u

/** The number of terminal columns that a text takes. */
function displayWidth(text: string): number {
  let width = 0
  for (const character of text) width += character < '\u0300' ? 1 : widthOf(character)
  return width
}

function widthOf(character: string): number {
  if (unseen.test(character)) return 0
  return wide.test(character) ? 2 : 1
}
