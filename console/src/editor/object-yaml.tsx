import { useMutation } from '@tanstack/react-query'
import type { KubeObject } from '../api/objects.ts'
import { isCode } from '../api/problem.ts'
import { answerTo } from '../api/request.ts'
import { Button } from '../parts/button.tsx'
import { ProblemNote, WarningNote } from '../parts/problem-note.tsx'
import { useDraft } from '../parts/unsaved.ts'
import { Conflict } from './conflict.tsx'
import { draftAfterSave, type TextDraft } from './draft-after-save.ts'
import { contentText, editableText, onVersion, versionIn } from './editable-text.ts'
import { Editor } from './editor.tsx'

interface ObjectYamlProps {
  readonly label: string
  /** Live: it may change while the user edits. */
  readonly object: KubeObject
  readonly path: string
  /** Whether the user may only view it. */
  readonly isReadOnly?: boolean
}

/** An object as YAML, to view and to change. Concurrent changes by others are never lost. */
export function ObjectYaml({ label, object, path, isReadOnly = false }: ObjectYamlProps) {
  const [draft, setDraft] = useDraft<TextDraft<KubeObject> | undefined>(label, undefined)
  const current = editableText(object)
  const version = object.metadata.resourceVersion ?? ''
  const save = useMutation({
    mutationFn: (sent: string) =>
      answerTo<KubeObject>(path, { method: 'PUT', contentType: 'application/yaml', body: onVersion(sent, version) }),
    onSuccess: ({ value }, sent) => setDraft(draftAfterSave(draft, sent, value)),
  })
  const isStale =
    !save.isPending &&
    draft !== undefined &&
    versionIn(draft.text) !== undefined &&
    contentText(draft.base) !== contentText(object)
  const text = draft?.text ?? current

  return (
    <div className="grid min-w-0 gap-3">
      {isStale && (
        <Conflict
          base={contentText(draft.base)}
          current={contentText(object)}
          onRebase={() => setDraft({ ...draft, base: object })}
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
        onChange={
          isReadOnly
            ? undefined
            : (changed) => changed !== text && setDraft({ base: draft?.base ?? object, text: changed })
        }
      />
      {!isReadOnly && (
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
      )}
    </div>
  )
}
