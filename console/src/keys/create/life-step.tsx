import { useState } from 'react'
import { durationText } from '../../format/time.ts'
import { Choice, Field } from '../../parts/field.tsx'
import { RadioList } from '../../parts/radio-list.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { lifePresets } from './draft.ts'
import type { StepProps } from './step.ts'
import { useMaximumLife } from './use-maximum-life.ts'

const custom = 'custom'
const dayS = 86_400
const mostDays = 36_500

export function LifeStep({ draft, onChange }: StepProps) {
  const preset = lifePresets.some(([ttl]) => ttl === draft.ttl) ? String(draft.ttl) : custom
  const maximum = useMaximumLife()
  const isTooLong = maximum !== undefined && (draft.ttl === 0 || draft.ttl > maximum)
  const [isCustom, setIsCustom] = useState(preset === custom)
  const chosen = isCustom ? custom : preset
  const choices = [
    ...lifePresets.map(([ttl, label]) => [String(ttl), label] as const),
    [custom, 'Another number of days'] as const,
  ]
  const choose = (value: string) => {
    setIsCustom(value === custom)
    if (value !== custom) onChange({ ...draft, ttl: Number(value) })
  }
  return (
    <div className="grid gap-4">
      <Field label="Life" hint="Short lives limit the harm of a key that got lost. A key can be rotated at any time.">
        {(control) => <Choice {...control} value={chosen} choices={choices} onChange={choose} />}
      </Field>
      {isCustom && (
        <TextField
          label="Days"
          type="number"
          min={1}
          max={mostDays}
          value={String(Math.max(1, Math.round(draft.ttl / dayS)))}
          onChange={(text) =>
            onChange({ ...draft, ttl: Math.min(mostDays, Math.max(1, Math.round(Number(text) || 1))) * dayS })
          }
        />
      )}
      {draft.ttl > 0 && (
        <RadioList
          label="Counted from"
          value={draft.isSliding ? 'sliding' : 'fixed'}
          choices={[
            { value: 'fixed', label: 'Creation', note: 'The key ends on a day that is known now.' },
            { value: 'sliding', label: 'Last use', note: 'The key stays valid while it is used.' },
          ]}
          onChange={(value) => onChange({ ...draft, isSliding: value === 'sliding' })}
        />
      )}
      {maximum !== undefined && (
        <p className={isTooLong ? 'text-warn' : 'text-muted'}>
          Keys of this platform live {durationText(maximum)} at most
          {isTooLong && ', and this one would expire with it, whatever you choose here'}.
        </p>
      )}
    </div>
  )
}
