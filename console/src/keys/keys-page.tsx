import { type ReactNode, useMemo, useState } from 'react'
import { loadedCount } from '../fetched/count.ts'
import { itemsOf } from '../fetched/fetched.ts'
import { useNow } from '../format/use-now.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { Page } from '../parts/page.tsx'
import { useRemembered } from '../parts/remembered.ts'
import { PageTabs } from '../parts/tabs.tsx'
import { useUnsaved } from '../parts/unsaved.ts'
import type { Sort } from '../table/column.ts'
import { LiveTable } from '../table/live-table.tsx'
import { CreateKeyDialog } from './create/create-key-dialog.tsx'
import { isKeyFilter, keyFilter, noFilter } from './filter.ts'
import { useKeyColumns } from './key-columns.tsx'
import { KeyFilters } from './key-filters.tsx'
import type { KeyRow } from './key-row.ts'
import type { KeyTask } from './key-task.ts'
import { KeyTaskDialog } from './key-task-dialog.tsx'
import { SessionsTab } from './sessions/sessions-tab.tsx'
import { useKeys } from './use-keys.ts'

const byName: Sort = { column: 'displayName', direction: 'ascending' }
const keyOf = ({ name }: KeyRow) => name

export function KeysPage() {
  const keys = useKeys()
  const [isCreating, setIsCreating] = useUnsaved('creating', false)
  const create = (
    <Button tone="primary" onClick={() => setIsCreating(true)}>
      <PlusIcon /> Create key
    </Button>
  )
  return (
    <Page title="Access keys" subtitle={loadedCount(keys, 'key')} actions={create}>
      <PageTabs
        label="Keys and sessions"
        tabs={[
          { id: 'keys', label: 'Keys', content: <KeysTab create={create} /> },
          { id: 'sessions', label: 'Sessions', content: <SessionsTab /> },
        ]}
      />
      {isCreating && <CreateKeyDialog onClose={() => setIsCreating(false)} />}
    </Page>
  )
}

function KeysTab({ create }: { readonly create: ReactNode }) {
  const keys = useKeys()
  const nowMs = useNow()
  const [filter, setFilter] = useRemembered('filter', noFilter, isKeyFilter)
  const [task, setTask] = useState<KeyTask>()
  const columns = useKeyColumns(nowMs, setTask)
  const isShown = useMemo(() => keyFilter(filter, nowMs), [filter, nowMs])
  return (
    <div className="grid min-w-0 gap-4">
      <KeyFilters filter={filter} rows={itemsOf(keys)} onChange={setFilter} />
      <LiveTable
        label="Access keys"
        of={keys}
        columns={columns}
        keyOf={keyOf}
        isShown={isShown}
        firstSort={byName}
        empty={
          <Empty title="No access keys yet" action={create}>
            A key lets a program, a pipeline or a virtual cluster act for you, as far as you allow it. Create one,
            choose what it may reach, and copy its value: it is shown once.
          </Empty>
        }
      />
      {task !== undefined && <KeyTaskDialog task={task} onClose={() => setTask(undefined)} />}
    </div>
  )
}
