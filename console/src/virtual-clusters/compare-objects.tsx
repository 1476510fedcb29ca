import { useState } from 'react'
import type { VirtualCluster } from '../api/objects.ts'
import { isCode } from '../api/problem.ts'
import { editableText } from '../editor/editable-text.ts'
import { useAsked } from '../fetched/use-asked.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { Panel } from '../parts/panel.tsx'
import { problemText } from '../parts/problem-note.tsx'
import { RadioList } from '../parts/radio-list.tsx'
import { Shown } from '../parts/shown.tsx'
import { DiffView } from '../yaml/diff-view.tsx'
import { type BothSides, readBothSides } from './both-sides.ts'
import type { ServedType } from './sync-shape.ts'

interface CompareObjectsProps {
  readonly virtualCluster: VirtualCluster
  readonly kind: string
  readonly type: ServedType
  readonly name: string
}

/** One object in the virtual cluster and its copy on the host. */
export function CompareObjects({ virtualCluster, kind, type, name }: CompareObjectsProps) {
  const [view, setView] = useState<'beside' | 'diff'>('beside')
  const sides = useAsked({
    queryKey: ['both sides', virtualCluster.metadata.uid, kind, name],
    queryFn: () => readBothSides(virtualCluster, type, name),
  })
  return (
    <Panel title={`${kind} ${name}`}>
      <div className="grid min-w-0 gap-3">
        <RadioList
          label="Show"
          isInline
          value={view}
          choices={[
            { value: 'beside', label: 'Side by side' },
            { value: 'diff', label: 'Differences' },
          ]}
          onChange={setView}
        />
        <Shown of={sides} empty="There is no such object.">
          {(known) => <Sides sides={known} view={view} />}
        </Shown>
      </div>
    </Panel>
  )
}

interface SidesProps {
  readonly sides: BothSides
  readonly view: 'beside' | 'diff'
}

function Sides({ sides, view }: SidesProps) {
  const virtual = editableText(sides.virtual)
  const host = sides.host && editableText(sides.host)
  return (
    <>
      {host === undefined && <p className="text-muted">{hostText(sides.hostProblem)}</p>}
      {view === 'beside' && (
        <div className="grid min-w-0 gap-3 xl:grid-cols-2">
          <Side title="Virtual" text={virtual} />
          {host !== undefined && <Side title="Host" text={host} />}
        </div>
      )}
      {view === 'diff' && host !== undefined && (
        <DiffView label="Differences between virtual and host" before={virtual} after={host} />
      )}
    </>
  )
}

function hostText(problem: unknown): string {
  if (problem === undefined) return 'There is no copy on the host.'
  if (isCode(problem, 401, 403)) return 'You may not look at the host cluster, so only the virtual side is shown.'
  return `The host side cannot be shown: ${problemText(problem)}`
}

function Side({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="grid min-w-0 content-start gap-1">
      <h3 className="font-medium">{title}</h3>
      <CodeBlock label={`${title} object`} text={text} />
    </div>
  )
}
