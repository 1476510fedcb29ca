import { Badge } from '../parts/badge.tsx'
import { Panel } from '../parts/panel.tsx'
import { DiffView } from '../yaml/diff-view.tsx'
import { printYaml } from '../yaml/print.ts'
import type { DirectionResult } from './evaluation.ts'

interface DirectionPanelProps {
  readonly title: string
  readonly result: DirectionResult
}

/** The effect of the patch in one direction: its matches, and the object before and after. */
export function DirectionPanel({ title, result }: DirectionPanelProps) {
  const { state, before, after, failure, references = [], patches } = result
  const [patch] = patches
  return (
    <Panel title={title} actions={patch && <Badge mood={moodOf(result)}>{countText(result)}</Badge>}>
      <div className="grid min-w-0 gap-3">
        {failure !== undefined && (
          <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 break-words text-bad">
            <code>{failure.concretePath}</code>: {failure.message}
          </p>
        )}
        {patch !== undefined && patch.matches.length > 0 && (
          <p className="flex min-w-0 flex-wrap gap-1">
            <span className="text-muted">Matches</span>
            {patch.matches.map((match) => (
              <mark key={match} className="min-w-0 rounded bg-accent-soft px-1 break-all text-accent">
                <code>{match}</code>
              </mark>
            ))}
          </p>
        )}
        {references.map(({ kind, namespace, name, translated }) => (
          <p key={`${kind}/${namespace}/${name}`}>
            {kind} {namespace}/{name} →{' '}
            {translated === undefined ? 'imported from the host' : `${translated.namespace}/${translated.name}`}
          </p>
        ))}
        <DiffView
          label={`${title}: before and after`}
          before={printYaml(before)}
          after={printYaml(state === 'applied' ? after : before)}
        />
      </div>
    </Panel>
  )
}

function moodOf({ state, patches: [patch] }: DirectionResult) {
  if (state === 'failed') return 'bad'
  return patch !== undefined && patch.changed > 0 ? 'good' : 'quiet'
}

function countText({ state, patches: [patch] }: DirectionResult): string {
  if (state === 'failed') return 'failed'
  if (patch === undefined || patch.matched === 0) return patch?.notFound === 1 ? 'path not found' : 'left alone'
  return `${patch.matched} matched, ${patch.changed} changed`
}
