import { Editor } from '../editor/editor.tsx'
import type { Fetched } from '../fetched/fetched.ts'
import { Badge, type Mood } from '../parts/badge.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failed } from '../parts/shown.tsx'
import { TextField } from '../parts/text-field.tsx'
import { useDraft } from '../parts/unsaved.ts'
import { DirectionPanel } from './direction-panel.tsx'
import { configText, firstDraft } from './draft.ts'
import { type Evaluation, useEvaluation } from './evaluation.ts'
import { ObjectPicker } from './object-picker.tsx'
import { PatchForm } from './patch-form.tsx'

/** Tries out a patch with the syncer's own engine. Nothing is synced. */
export function PlaygroundPage() {
  const [draft, setDraft] = useDraft('patch', firstDraft)
  const evaluation = useEvaluation(draft)
  const data = answered(evaluation)
  const otherProblems = data?.problems.filter(({ field }) => !field.startsWith('patches[0].')) ?? []
  return (
    <Page
      title="Patch playground"
      subtitle="What a patch does to an object on its way to the host and back, by the engine and within the limits of the syncer."
    >
      <Progress evaluation={evaluation} />
      <div className="grid min-w-0 gap-4 xl:grid-cols-2">
        <div className="grid min-w-0 content-start gap-4">
          <Panel title="Object">
            <div className="grid min-w-0 gap-3">
              <ObjectPicker onPick={(resource, object) => setDraft({ ...draft, resource, object })} />
              <TextField
                label="Kind"
                hint="As under sync.toHost: endpoints, configMaps, widgets.example.com"
                value={draft.resource}
                onChange={(resource) => setDraft({ ...draft, resource })}
              />
              <Editor
                label="Object"
                language="yaml"
                value={draft.object}
                onChange={(object) => setDraft({ ...draft, object })}
              />
              {otherProblems.map(({ field, message }) => (
                <p key={`${field}${message}`} role="alert" className="break-words text-bad">
                  <code>{field}</code>: {message}
                </p>
              ))}
            </div>
          </Panel>
          <Panel title="Patch">
            <PatchForm draft={draft} evaluation={data} onChange={setDraft} />
          </Panel>
        </div>
        <div className="grid min-w-0 content-start gap-4">
          {data?.toHost !== undefined && <DirectionPanel title="To the host" result={data.toHost} />}
          {data?.toVirtual !== undefined && (
            <DirectionPanel title="Back to the virtual cluster" result={data.toVirtual} />
          )}
          <RoundTrip evaluation={data} />
          <Panel title="For tenant.yaml">
            <CodeBlock label="The patch for tenant.yaml" text={configText(draft)} />
          </Panel>
        </div>
      </div>
    </Page>
  )
}

/** While the user types, the previous answer stays visible. */
function answered(evaluation: Fetched<Evaluation>): Evaluation | undefined {
  if (evaluation.state === 'known') return evaluation.value
  return evaluation.state === 'loading' ? evaluation.soFar : undefined
}

/** Shows that the answer below is not current yet, or why there is none. */
function Progress({ evaluation }: { readonly evaluation: Fetched<Evaluation> }) {
  if (evaluation.state === 'failed') return <Failed title="The patch was not tried" failure={evaluation.failure} />
  return (
    <p role="status" className="h-5 text-muted">
      {evaluation.state === 'loading' ? 'Trying the patch…' : ''}
    </p>
  )
}

/** Whether a value that is sent to the host is restored on the way back. */
function RoundTrip({ evaluation }: { readonly evaluation: Evaluation | undefined }) {
  const [trip] = evaluation?.roundTrip ?? []
  if (trip === undefined) return null
  const [mood, word] = verdicts[trip.verdict] ?? (['quiet', trip.verdict] as const)
  return (
    <Panel title="Round trip" actions={<Badge mood={mood}>{word}</Badge>}>
      <p aria-live="polite" className="break-words">
        {trip.message}
      </p>
    </Panel>
  )
}

const verdicts: Readonly<Record<string, readonly [Mood, string]>> = {
  cancels: ['good', 'cancels out'],
  'counter-example': ['bad', 'does not cancel out'],
  'not-checkable': ['quiet', 'not checked'],
}
