import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { nameOf, projectOf, type VirtualCluster } from '../api/objects.ts'
import { editableText } from '../editor/editable-text.ts'
import { itemsOf, listFrom } from '../fetched/fetched.ts'
import { useLive } from '../live/use-live.ts'
import { Button } from '../parts/button.tsx'
import { Choice } from '../parts/field.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { Unknown } from '../parts/shown.tsx'
import { useManagement } from '../session/session-context.tsx'
import { readBothSides } from '../virtual-clusters/both-sides.ts'
import type { SyncedKind } from '../virtual-clusters/sync-shape.ts'
import { servedTypeOf, useSyncState } from '../virtual-clusters/sync-state.ts'
import { samples } from './samples.ts'

interface ObjectPickerProps {
  readonly onPick: (resource: string, object: string) => void
}

/** Starts with a sample, or with an object of a linked virtual cluster. */
export function ObjectPicker({ onPick }: ObjectPickerProps) {
  const virtualClusters = useLive<VirtualCluster>(useManagement().path('virtualclusterinstances'))
  const known = listFrom(virtualClusters, (all) => all.filter(({ status }) => status?.online === true))
  const linked = itemsOf(known)
  const [id, setId] = useState('')
  const chosen = linked.find((each) => idOf(each) === id)
  const pickSample = (resource: string) => {
    const sample = samples.find((each) => each.resource === resource)
    if (sample !== undefined) onPick(sample.resource, sample.object)
  }
  return (
    <div className="flex flex-wrap gap-2">
      <div className="w-52">
        <Choice
          aria-label="Start with a sample"
          value=""
          choices={[
            ['', 'Start with a sample…'] as const,
            ...samples.map(({ resource }) => [resource, resource] as const),
          ]}
          onChange={pickSample}
        />
      </div>
      {linked.length > 0 && (
        <div className="w-52">
          <Choice
            aria-label="Pick from a virtual cluster"
            value={id}
            choices={[['', 'Pick from…'] as const, ...linked.map((each) => [idOf(each), idOf(each)] as const)]}
            onChange={setId}
          />
        </div>
      )}
      <Unknown of={known} empty="No virtual cluster is linked to pick an object from." />
      {chosen !== undefined && <SyncedObjectPicker virtualCluster={chosen} onPick={onPick} />}
    </div>
  )
}

function SyncedObjectPicker({
  virtualCluster,
  onPick,
}: ObjectPickerProps & { readonly virtualCluster: VirtualCluster }) {
  const objects = listFrom(useSyncState(virtualCluster), ({ kinds = [] }) => kinds.flatMap(objectsOf))
  const [id, setId] = useState('')
  const known = itemsOf(objects)
  const reading = useMutation({
    mutationFn: async () => {
      const picked = known.find((each) => each.id === id)
      if (picked === undefined) return
      const { virtual } = await readBothSides(virtualCluster, picked.type, picked.name)
      onPick(picked.kind, editableText(virtual))
    },
  })
  return (
    <>
      <div className="w-60">
        <Choice
          aria-label="Object"
          value={id}
          choices={[['', 'Object…'] as const, ...known.slice(0, mostShown).map((each) => [each.id, each.id] as const)]}
          onChange={setId}
        />
      </div>
      <Button disabled={id === '' || reading.isPending} onClick={() => reading.mutate()}>
        Take it
      </Button>
      <Unknown of={objects} empty="It syncs no object." />
      {reading.error !== null && <ProblemNote problem={reading.error} />}
    </>
  )
}

const mostShown = 500
/** Distinguishes imports from objects that are synced to the host. */
const importPrefix = /^(fromHost|references)\./

function objectsOf(synced: SyncedKind) {
  const type = servedTypeOf(synced)
  if (type === undefined) return []
  const { kind, objects } = synced
  return objects.map(({ name }) => ({ id: `${kind} ${name}`, kind: kind.replace(importPrefix, ''), type, name }))
}

function idOf(virtualCluster: VirtualCluster): string {
  return `${projectOf(virtualCluster)}/${nameOf(virtualCluster)}`
}
