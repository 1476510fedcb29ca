import { Link } from '@tanstack/react-router'
import type { KeyRow } from '../keys/key-row.ts'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { linkClass } from '../resources/common-columns.tsx'
import { SimpleTable } from '../table/simple-table.tsx'

const mostShown = 8

export function EndingKeys({ keys, nowMs }: { readonly keys: readonly KeyRow[]; readonly nowMs: number }) {
  return (
    <Panel title="Keys about to expire">
      <SimpleTable
        label="Keys about to expire"
        headers={['Key', 'Owner', 'Ends']}
        empty="No active key ends within 7 days."
        rows={keys.slice(0, mostShown).map(({ name, displayName, owner, expiresMs }) => ({
          key: name,
          cells: [
            <Link key="name" to="/keys/$name" params={{ name }} className={linkClass}>
              {displayName}
            </Link>,
            owner,
            <Moment key="end" ms={expiresMs} nowMs={nowMs} direction="until" />,
          ],
        }))}
      />
    </Panel>
  )
}
