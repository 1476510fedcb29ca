import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { VirtualCluster } from '../api/objects.ts'
import { isCode } from '../api/problem.ts'
import { editableText } from '../editor/editable-text.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { RadioList } from '../parts/radio-list.tsx'
import { DiffView } from '../yaml/diff-view.tsx'
import { readBothSides } from './both-sides.ts'
import type { ServedType } from './sync-state.ts'

interface CompareObjectsProps {
  readonly virtualCluster: VirtualCluster
  readonly kind: string
  readonly type: ServedType
  readonly name: string
}

/** One object in the virtual cluster and its copy on the host. */
export function CompareObjects({ virtualCluster, kind, type, name }: CompareObjectsProps) {
  const [view, setView] = useState<'beside' | 'diff'>('beside')
  const { data, error } = useQuery({
    queryKey: ['both sides', virtualCluster.metadata.uid, kind, name],
    queryFn: () => readBothSides(virtualCluster, type, name),
  })
  const virtual = data?.virtual && editableText(data.virtual)
  const host = data?.host && editableText(data.host)
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
        {error !== null && <ProblemNote problem={error} />}
        {data?.hostProblem !== undefined && (
          <p className="text-muted">
            {isCode(data.hostProblem, 401, 403)
              ? 'You may not look at the host cluster, so only the virtual side is shown.'
              : `The host side cannot be shown: ${data.hostProblem.message}`}
          </p>
        )}
        {view === 'beside' && (
          <div className="grid min-w-0 gap-3 xl:grid-cols-2">
            {virtual !== undefined && <Side title="Virtual" text={virtual} />}
            {host !== undefined && <Side title="Host" text={host} />}
          </div>
        )}
        {view === 'diff' && virtual !== undefined && host !== undefined && (
          <DiffView label="Differences between virtual and host" before={virtual} after={host} />
        )}
      </div>
    </Panel>
  )
}

function Side({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="grid min-w-0 content-start gap-1">
      <h3 className="font-medium">{title}</h3>
      <CodeBlock label={`${title} object`} text={text} />
    </div>
  )
}
