import { asObjects } from '../../base/json/lenient.ts'
import type { JsonBody } from '../../client/command/api-client.ts'
import { noValue } from './list-table.ts'

/** Requests the columns that the server recommends for people, without the objects. */
export const acceptTable = 'application/json;as=Table;v=v1;g=meta.k8s.io'

/** The rows of a Table from the server, with its headings first. */
export function tableRows(table: JsonBody, form: 'table' | 'wide'): readonly (readonly string[])[] {
  const columns = asObjects(table.columnDefinitions)
  const shown = columns.map(({ priority }) => form === 'wide' || !(Number(priority) > 0))
  const choose = (cells: readonly unknown[]) => cells.filter((_, column) => shown[column]).map(cellText)
  const headings = choose(columns.map(({ name }) => String(name).toUpperCase()))
  return [headings, ...asObjects(table.rows).map(({ cells }) => choose(Array.isArray(cells) ? cells : []))]
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined || cell === '') return noValue
  return typeof cell === 'string' ? cell : JSON.stringify(cell)
}
