import { useState } from 'react'
import type { VirtualCluster } from '../api/objects.ts'
import { listed } from '../fetched/fetched.ts'
import { Badge, type Mood } from '../parts/badge.tsx'
import { Choice, TextInput } from '../parts/field.tsx'
import { Panel } from '../parts/panel.tsx'
import { Shown } from '../parts/shown.tsx'
import { SimpleTable } from '../table/simple-table.tsx'
import { CompareObjects } from './compare-objects.tsx'
import { OfflineNote } from './offline-note.tsx'
import type { SyncedKind, SyncedObject, SyncState } from './sync-shape.ts'
import { servedTypeOf, useSyncState } from './sync-state.ts'

const moods: Readonly<Record<SyncedObject['state'], Mood>> = { 'in-step': 'good', waiting: 'warn', failing: 'bad' }
const mostShown = 500

/** The synced objects by kind; each can be viewed on both sides. */
export function ObjectsTab({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  if (virtualCluster.status?.online === true) return <LinkedObjects virtualCluster={virtualCluster} />
  return (
    <Panel title="Objects">
      <OfflineNote />
    </Panel>
  )
}

function LinkedObjects({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  const state = useSyncState(virtualCluster)
  if (state.state === 'known') return <KnownObjects virtualCluster={virtualCluster} state={state.value} />
  return (
    <Panel title="Objects">
      <Shown of={state} empty="No kind is synced.">
        {() => null}
      </Shown>
    </Panel>
  )
}

interface KnownObjectsProps {
  readonly virtualCluster: VirtualCluster
  readonly state: SyncState
}

function KnownObjects({ virtualCluster, state: { kinds = [], waits } }: KnownObjectsProps) {
  const [chosen, setChosen] = useState('')
  const [text, setText] = useState('')
  const [compared, setCompared] = useState<string>()
  const kind = kinds.find((each) => each.kind === chosen) ?? kinds.find(({ objects }) => objects.length > 0) ?? kinds[0]
  if (kind === undefined)
    return (
      <Panel title="Objects">
        <p className="text-muted">{waits ?? 'No kind is synced.'}</p>
      </Panel>
    )
  const type = servedTypeOf(kind)
  const shown = kind.objects.filter(({ name }) => name.includes(text)).slice(0, mostShown)
  return (
    <div className="grid min-w-0 gap-4">
      <div className="flex flex-wrap gap-2">
        <div className="w-72">
          <Choice
            aria-label="Kind"
            value={kind.kind}
            choices={kinds.map((each) => [each.kind, kindText(each)] as const)}
            onChange={(next) => {
              setChosen(next)
              setCompared(undefined)
            }}
          />
        </div>
        <div className="w-64">
          <TextInput type="search" aria-label="Search objects" placeholder="Search…" value={text} onChange={setText} />
        </div>
      </div>
      <Panel title={kind.kind}>
        <SimpleTable
          label={`Synced ${kind.kind}`}
          headers={['Object', 'State', 'Reason', '']}
          empty={kind.reason ?? (text === '' ? 'None.' : 'Nothing fits the search.')}
          of={listed(shown)}
          row={({ name, state, reason = '', message = '' }) => ({
            key: name,
            cells: [
              name,
              <Badge key="state" mood={moods[state]}>
                {state.replace('-', ' ')}
              </Badge>,
              [reason, message].filter(Boolean).join(': ') || '–',
              type !== undefined && (
                <button
                  key="compare"
                  type="button"
                  className="text-accent hover:underline"
                  aria-label={`Compare ${name}`}
                  onClick={() => setCompared(name)}
                >
                  Compare
                </button>
              ),
            ],
          })}
        />
      </Panel>
      {compared !== undefined && type !== undefined && (
        <CompareObjects virtualCluster={virtualCluster} kind={kind.kind} type={type} name={compared} />
      )}
    </div>
  )
}

function kindText({ kind, state, counts }: SyncedKind): string {
  if (state !== 'running') return `${kind} (${state})`
  const { 'in-step': inStep, waiting, failing } = counts
  return `${kind}: ${inStep} in step${waiting > 0 ? `, ${waiting} waiting` : ''}${failing > 0 ? `, ${failing} failing` : ''}`
}
