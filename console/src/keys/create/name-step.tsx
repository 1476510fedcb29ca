import { TextAreaField, TextField } from '../../parts/text-field.tsx'
import type { StepProps } from './step.ts'

export function NameStep({ draft, onChange }: StepProps) {
  return (
    <div className="grid gap-4">
      <TextField
        label="Display name"
        hint="How people tell this key from others."
        autoFocus
        maxLength={200}
        placeholder="Deploy pipeline of the shop"
        value={draft.displayName}
        onChange={(displayName) => onChange({ ...draft, displayName })}
      />
      <TextAreaField
        label="Description"
        hint="Optional: where the key is used, and whom to ask about it."
        value={draft.description}
        onChange={(description) => onChange({ ...draft, description })}
      />
    </div>
  )
}
