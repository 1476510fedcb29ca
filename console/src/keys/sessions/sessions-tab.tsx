import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNow } from '../../format/use-now.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { useSession } from '../../session/session-context.tsx'
import type { Sort } from '../../table/column.ts'
import { LiveTable } from '../../table/live-table.tsx'
import { sessionColumns } from './session-columns.tsx'
import type { SessionRow } from './session-row.ts'
import { useSessions } from './use-sessions.ts'

const byUse: Sort = { column: 'activity', direction: 'ascending' }
const keyOf = ({ name }: SessionRow) => name

/** Who is signed in to the console, from where, and how long they have been idle. */
export function SessionsTab() {
  const sessions = useSessions()
  const { endAllSessions } = useSession()
  const nowMs = useNow()
  const columns = useMemo(() => sessionColumns(nowMs), [nowMs])
  const leaving = useMutation({ mutationFn: endAllSessions })
  return (
    <div className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="max-w-prose text-muted">
          A session ends with the key that it was started with, when the identity provider that confirmed its user
          refuses them, after twelve hours without use, and after seven days, unless the platform was told otherwise.
        </p>
        <Button disabled={leaving.isPending} onClick={() => leaving.mutate()}>
          Sign out everywhere
        </Button>
      </div>
      {leaving.error !== null && <ProblemNote title="Not signed out" problem={leaving.error} />}
      <LiveTable
        label="Sessions"
        of={sessions}
        columns={columns}
        keyOf={keyOf}
        isShown={undefined}
        firstSort={byUse}
        empty={<Empty title="No sessions">No user whose keys you may see is signed in to the console.</Empty>}
      />
    </div>
  )
}
