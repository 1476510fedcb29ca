import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { KubeObject } from '../api/objects.ts'
import { isCode } from '../api/problem.ts'
import { answerTo } from '../api/request.ts'
import { Button } from '../parts/button.tsx'
import { ProblemNote, WarningNote } from '../parts/problem-note.tsx'
import { DiffView } from '../yaml/diff-view.tsx'
import { editableText, onVersion, versionIn } from './editable-text.ts'
import { Editor } from './editor.tsx'

interface ObjectYamlProps {
  readonly label: string
  /** Live: it changes while somebody edits. */
  readonly object: KubeObject
  readonly path: string
}

/** An object as YAML, to look at and to change. What others change meanwhile is never lost. */
export function ObjectYaml({ label, object, path }: ObjectYamlProps) {
  const [draft, setDraft] = useState<{ readonly base: string; readonly text: string }>()
  const current = editableText(object)
  const save = useMutation({
    mutationFn: (text: string) =>
      answerTo<KubeObject>(path, { method: 'PUT', contentType: 'application/yaml', body: text }),
    onSuccess: () => setDraft(undefined),
  })
  const isStale =
    draft !== undefined && versionIn(draft.text) !== undefined && versionIn(draft.text) !== versionIn(current)
  const text = draft?.text ?? current

  return (
    <div className="grid min-w-0 gap-3">
      {isStale && (
        <Conflict
          base={draft.base}
          current={current}
          onRebase={() => setDraft({ base: current, text: onVersion(draft.text, versionIn(current) ?? '') })}
          onDiscard={() => setDraft(undefined)}
        />
      )}
      {save.error !== null && !(isCode(save.error, 409) && isStale) && (
        <ProblemNote title="Not saved" problem={save.error} />
      )}
      <WarningNote texts={save.data?.warnings ?? []} />
      <Editor
        label={label}
        language="yaml"
        value={text}
        onChange={(changed) => changed !== text && setDraft({ base: draft?.base ?? current, text: changed })}
      />
      <div className="flex gap-2">
        <Button
          tone="primary"
          disabled={draft === undefined || isStale || save.isPending}
          onClick={() => save.mutate(text)}
        >
          Save
        </Button>
        <Button disabled={draft === undefined} onClick={() => setDraft(undefined)}>
          Discard
        </Button>
      </div>
    </div>
  )
}

interface ConflictProps {
  readonly base: string
  readonly current: string
  readonly onRebase: () => void
  readonly onDiscard: () => void
}

function Conflict({ base, current, onRebase, onDiscard }: ConflictProps) {
  return (
    <section role="alert" className="grid gap-2 rounded-md border border-warn/30 bg-warn-soft p-3 text-warn">
      <p className="font-semibold">Somebody else has changed this object while you were editing.</p>
      <details>
        <summary>What they changed</summary>
        <div className="mt-2 text-text">
          <DiffView label="What others changed" before={base} after={current} />
        </div>
      </details>
      <div className="flex flex-wrap gap-2 text-text">
        <Button onClick={onRebase}>Keep my text, on top of theirs</Button>
        <Button onClick={onDiscard}>Discard mine</Button>
      </div>
    </section>
  )
}
