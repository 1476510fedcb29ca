import type { ReactNode } from 'react'
import type { Fetched } from '../fetched/fetched.ts'
import { Shown } from '../parts/shown.tsx'

interface SimpleRow {
  readonly key: string
  readonly cells: readonly ReactNode[]
}

interface SimpleTableProps<Item> {
  readonly label: string
  readonly headers: readonly string[]
  readonly of: Fetched<readonly Item[]>
  readonly row: (item: Item, position: number) => SimpleRow
  readonly empty: ReactNode
}

/** A short table that is rendered completely. */
export function SimpleTable<Item>({ label, headers, of, row, empty }: SimpleTableProps<Item>) {
  return (
    <Shown of={of} empty={empty}>
      {(items) => <Rows label={label} headers={headers} rows={items.map(row)} />}
    </Shown>
  )
}

interface RowsProps {
  readonly label: string
  readonly headers: readonly string[]
  readonly rows: readonly SimpleRow[]
}

function Rows({ label, headers, rows }: RowsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="-m-4 max-h-96 overflow-auto">
      <table className="w-full text-left">
        <caption className="sr-only">{label}</caption>
        <thead className="sticky top-0 bg-raised text-xs text-muted">
          <tr>
            {headers.map((header) => (
              <th key={header} scope="col" className="px-4 py-2 font-semibold whitespace-nowrap">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key} className="border-t border-line align-top">
              {headers.map((header, index) => (
                <td key={header} className="px-4 py-2 break-words">
                  {cells[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
