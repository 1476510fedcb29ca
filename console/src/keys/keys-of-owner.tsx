import { Link } from '@tanstack/react-router'
import { type AccessKey, nameOf } from '../api/objects.ts'
import { listFrom } from '../fetched/fetched.ts'
import { timeOf } from '../format/time.ts'
import { useNow } from '../format/use-now.ts'
import { useLive } from '../live/use-live.ts'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { linkClass } from '../resources/common-columns.tsx'
import { useManagement } from '../session/session-context.tsx'
import { SimpleTable } from '../table/simple-table.tsx'
import { PhaseBadge } from './phase-badge.tsx'
import { reachInShort } from './scope-words.ts'

interface KeysOfOwnerProps {
  readonly field: 'spec.user' | 'spec.team'
  readonly name: string
}

const mostShown = 500

export function KeysOfOwner({ field, name }: KeysOfOwnerProps) {
  const nowMs = useNow()
  const path = useManagement().path('ownedaccesskeys', {
    query: { fieldSelector: `${field}=${name}` },
  })
  const keys = listFrom(useLive<AccessKey>(path), (all) =>
    all.filter(({ spec }) => spec?.type !== 'Login').slice(0, mostShown),
  )
  return (
    <Panel title="Access keys">
      <SimpleTable
        label={`Access keys of ${name}`}
        headers={['Key', 'Phase', 'Reaches', 'Expires', 'Last activity']}
        empty="None."
        of={keys}
        row={(key) => ({
          key: nameOf(key),
          cells: [
            <Link key="name" to="/keys/$name" params={{ name: nameOf(key) }} className={linkClass}>
              {key.spec?.displayName || nameOf(key)}
            </Link>,
            <PhaseBadge key="phase" phase={key.status?.phase ?? 'Active'} />,
            reachInShort(key.spec ?? {}),
            <Moment key="end" ms={timeOf(key.status?.expiresAt)} nowMs={nowMs} direction="until" />,
            <Moment key="use" ms={timeOf(key.status?.lastActivity)} nowMs={nowMs} direction="ago" />,
          ],
        })}
      />
    </Panel>
  )
}
