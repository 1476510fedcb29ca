import { textTable } from './text-table.ts'

/** What a list shows for a value that an object does not have. */
export const noValue = '-'

/** A table whose first row are headings. Columns in which no object has a value are left out. */
export function listTable([headings = [], ...rows]: readonly (readonly string[])[]): string {
  const isFilled = headings.map((_, column) => rows.some((row) => row[column] !== noValue))
  return textTable([headings, ...rows].map((row) => row.filter((_, column) => isFilled[column])))
}
