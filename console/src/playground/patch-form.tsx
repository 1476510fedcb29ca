import { useMemo } from 'react'
import { Combobox } from '../parts/combobox.tsx'
import { Field } from '../parts/field.tsx'
import { RadioList } from '../parts/radio-list.tsx'
import { TextField } from '../parts/text-field.tsx'
import type { PatchDraft, ReferenceDraft } from './draft.ts'
import type { Evaluation, QuestionProblem } from './evaluation.ts'
import { ExpressionEditor } from './expression-editor.tsx'
import { pathCompletions } from './path/complete.ts'
import { useLastKnown } from './use-last-known.ts'

interface PatchFormProps {
  readonly draft: PatchDraft
  readonly evaluation: Evaluation | undefined
  readonly onChange: (draft: PatchDraft) => void
}

const actions = [
  { value: 'expression', label: 'Expressions', note: 'Compute the value in each direction.' },
  { value: 'reference', label: 'Reference', note: 'The value names another object.' },
  { value: 'labels', label: 'Labels', note: 'The value is a label selector.' },
] as const

export function PatchForm({ draft, evaluation, onChange }: PatchFormProps) {
  const object = useLastKnown(evaluation?.toHost?.before)
  const paths = useMemo(() => pathCompletions(object, draft.path), [object, draft.path])
  const problemOf = (field: string): QuestionProblem | undefined =>
    evaluation?.problems.find((problem) => problem.field === `patches[0].${field}`)
  return (
    <div className="grid min-w-0 gap-4">
      <Field
        label="Path"
        hint='Such as metadata.annotations["a/b"] or subsets[*].ports[*].name'
        error={problemOf('path')?.message}
      >
        {(control) => (
          <Combobox
            control={control}
            value={draft.path}
            suggestions={paths}
            onChange={(path) => onChange({ ...draft, path })}
          />
        )}
      </Field>
      <RadioList
        label="What it does"
        value={draft.action}
        choices={actions}
        onChange={(action) => onChange({ ...draft, action })}
      />
      {draft.action === 'expression' && (
        <>
          <ExpressionEditor
            label="Expression"
            hint="On the way to the host. Leave it empty to leave this direction alone."
            placeholder="value"
            value={draft.expression}
            problem={problemOf('expression')}
            onChange={(expression) => onChange({ ...draft, expression })}
          />
          <ExpressionEditor
            label="Reverse expression"
            hint="On the way back; it should undo what the expression does."
            placeholder="value"
            value={draft.reverseExpression}
            problem={problemOf('reverseExpression')}
            onChange={(reverseExpression) => onChange({ ...draft, reverseExpression })}
          />
        </>
      )}
      {draft.action === 'reference' && (
        <ReferenceFields
          reference={draft.reference}
          problemOf={problemOf}
          onChange={(reference) => onChange({ ...draft, reference })}
        />
      )}
    </div>
  )
}

interface ReferenceFieldsProps {
  readonly reference: ReferenceDraft
  readonly problemOf: (field: string) => QuestionProblem | undefined
  readonly onChange: (reference: ReferenceDraft) => void
}

const referenceFields = [
  ['apiVersion', 'apiVersion'],
  ['kind', 'Kind'],
  ['namePath', 'Path of the name'],
  ['namespacePath', 'Path of the namespace'],
] as const

function ReferenceFields({ reference, problemOf, onChange }: ReferenceFieldsProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {referenceFields.map(([member, label]) => (
        <TextField
          key={member}
          label={label}
          error={problemOf(`reference.${member}`)?.message}
          value={reference[member]}
          onChange={(text) => onChange({ ...reference, [member]: text })}
        />
      ))}
    </div>
  )
}
