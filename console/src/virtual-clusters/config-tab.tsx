import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { VirtualCluster } from '../api/objects.ts'
import type { CheckText } from '../editor/code-editor.tsx'
import { Conflict } from '../editor/conflict.tsx'
import { draftAfterSave, type TextDraft } from '../editor/draft-after-save.ts'
import { Editor } from '../editor/editor.tsx'
import { schemaCompletion } from '../editor/schema-completion.ts'
import type { Fetched } from '../fetched/fetched.ts'
import { useAsked } from '../fetched/use-asked.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { Failed } from '../parts/shown.tsx'
import { useDraft } from '../parts/unsaved.ts'
import { virtualClusterKind } from '../resources/kinds.ts'
import { changeSpec } from '../resources/requests.ts'
import { useRight } from '../resources/use-right.ts'
import { useManagement } from '../session/session-context.tsx'
import { DiffView } from '../yaml/diff-view.tsx'
import { diagnosticsOf } from './config-diagnostics.ts'
import { type ConfigReview, reviewConfig } from './config-review.ts'

/** The platform's review of one text, which does not apply to any other. */
interface CheckedText {
  readonly text: string
  readonly review: Fetched<ConfigReview>
}

const unchecked: Fetched<ConfigReview> = { state: 'loading' }

/** The tenant.yaml, checked by the platform while the user types. */
export function ConfigTab({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  const management = useManagement()
  const changing = useRight({ verb: 'patch', kind: virtualClusterKind, object: virtualCluster })
  const isReadOnly = changing?.isAllowed === false
  const stored = virtualCluster.spec?.config ?? ''
  const [draft, setDraft] = useDraft<TextDraft<string> | undefined>('tenant.yaml', undefined)
  const [checked, setChecked] = useState<CheckedText>()
  const text = draft?.text ?? stored
  const schema = useAsked({
    queryKey: ['tenant.yaml schema'],
    queryFn: async () => (await reviewConfig(management, '', { includeSchema: true })).schema ?? {},
    staleTime: Number.POSITIVE_INFINITY,
  })
  const known = schema.state === 'known' ? schema.value : undefined
  const complete = useMemo(() => (known === undefined ? undefined : schemaCompletion(known)), [known])
  const review = checked?.text === text ? checked.review : unchecked
  const check: CheckText = async (current) => {
    try {
      const value = await reviewConfig(management, current, { checkRoundTrips: true })
      setChecked({ text: current, review: { state: 'known', value } })
      return diagnosticsOf(current, value.problems)
    } catch (problem) {
      const retry = () => {
        setChecked(undefined)
        void check(current)
      }
      setChecked({ text: current, review: { state: 'failed', failure: { problem, retry } } })
      return []
    }
  }
  const isValid = review.state === 'known' && review.value.valid
  const save = useMutation({
    mutationFn: (sent: string) => changeSpec(management, virtualClusterKind, virtualCluster, { config: sent }),
    onSuccess: (_, sent) => setDraft(draftAfterSave(draft, sent, sent)),
  })
  const isStale = !save.isPending && draft !== undefined && draft.base !== stored
  return (
    <Panel title="tenant.yaml" actions={<Verdict review={review} />}>
      <div className="grid min-w-0 gap-3">
        {isStale && (
          <Conflict
            base={draft.base}
            current={stored}
            onRebase={() => setDraft({ ...draft, base: stored })}
            onDiscard={() => setDraft(undefined)}
          />
        )}
        <Editor
          label="tenant.yaml"
          language="yaml"
          value={text}
          placeholder="sync:&#10;  toHost:&#10;    endpoints:&#10;      enabled: true"
          check={check}
          complete={complete}
          onChange={
            isReadOnly ? undefined : (next) => next !== text && setDraft({ base: draft?.base ?? stored, text: next })
          }
        />
        {review.state === 'failed' && <Failed title="The text was not checked" failure={review.failure} />}
        {review.state === 'known' && review.value.problems.length > 0 && <Problems review={review.value} />}
        {draft !== undefined && draft.text !== stored && (
          <DiffView label="What you have changed" before={stored} after={draft.text} />
        )}
        {save.error !== null && <ProblemNote title="Not saved" problem={save.error} />}
        <div className="flex flex-wrap items-center gap-2">
          {!isReadOnly && (
            <>
              <Button
                tone="primary"
                disabled={draft === undefined || isStale || !isValid || save.isPending}
                onClick={() => save.mutate(text)}
              >
                Save
              </Button>
              <Button disabled={draft === undefined} onClick={() => setDraft(undefined)}>
                Discard
              </Button>
            </>
          )}
          {virtualCluster.spec?.external === true && (
            <p className="text-muted">
              This virtual cluster is not deployed by the platform: apply the text with{' '}
              <code>tenant create --upgrade</code>.
            </p>
          )}
        </div>
      </div>
    </Panel>
  )
}

function Verdict({ review }: { readonly review: Fetched<ConfigReview> }) {
  if (review.state === 'failed') return <Badge mood="warn">Not checked</Badge>
  if (review.state !== 'known') return <Badge>Checking…</Badge>
  const { valid, problems } = review.value
  const warnings = problems.filter(({ severity }) => severity === 'warning').length
  if (!valid) return <Badge mood="bad">Not valid</Badge>
  return warnings > 0 ? <Badge mood="warn">Valid, with warnings</Badge> : <Badge mood="good">Valid</Badge>
}

function Problems({ review }: { readonly review: ConfigReview }) {
  return (
    <ul aria-label="Problems" className="grid gap-1">
      {review.problems.map(({ severity, line, column, field, message, suggestion }) => (
        <li key={`${line}:${column}:${message}`} className={severity === 'error' ? 'text-bad' : 'text-warn'}>
          Line {line}, column {column}: {field !== '' && <code>{field} </code>}
          {message}
          {suggestion !== undefined && ` – ${suggestion}`}
        </li>
      ))}
    </ul>
  )
}
