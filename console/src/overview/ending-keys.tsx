import { Link } from '@tanstack/react-router'
import { type Fetched, listFrom } from '../fetched/fetched.ts'
import type { KeyRow } from '../keys/key-row.ts'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { linkClass } from '../resources/common-columns.tsx'
import { SimpleTable } from '../table/simple-table.tsx'

const mostShown = 8

interface EndingKeysProps {
  /** Ordered by when they end. */
  readonly keys: Fetched<readonly KeyRow[]>
  readonly nowMs: number
}

export function EndingKeys({ keys, nowMs }: EndingKeysProps) {
  return (
    <Panel title="Keys about to expire">
      <SimpleTable
        label="Keys about to expire"
        headers={['Key', 'Owner', 'Ends']}
        empty="No active key ends within 7 days."
        of={listFrom(keys, (all) => all.slice(0, mostShown))}
        row={({ name, displayName, owner, expiresMs }) => ({
          key: name,
          cells: [
            <Link key="name" to="/keys/$name" params={{ name }} className={linkClass}>
              {displayName}
            </Link>,
            owner,
            <Moment key="end" ms={expiresMs} nowMs={nowMs} direction="until" />,
          ],
        })}
      />
    </Panel>
  )
}
