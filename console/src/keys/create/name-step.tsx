import { Field, TextArea, TextInput } from '../../parts/field.tsx'
import type { StepProps } from './step.ts'

export function NameStep({ draft, onChange }: StepProps) {
  return (
    <div className="grid gap-4">
      <Field label="Display name" hint="How people tell this key from others.">
        {(control) => (
          <TextInput
            {...control}
            autoFocus
            maxLength={200}
            placeholder="Deploy pipeline of the shop"
            value={draft.displayName}
            onChange={(displayName) => onChange({ ...draft, displayName })}
          />
        )}
      </Field>
      <Field label="Description" hint="Optional: where the key is used, and whom to ask about it.">
        {(control) => (
          <TextArea
            {...control}
            value={draft.description}
            onChange={(description) => onChange({ ...draft, description })}
          />
        )}
      </Field>
    </div>
  )
}
