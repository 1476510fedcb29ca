import { useState } from 'react'
import { type Fetched, itemsOf } from '../fetched/fetched.ts'
import { Checkbox } from './checkbox.tsx'
import { TextInput } from './field.tsx'
import { Unknown } from './shown.tsx'

export interface Option {
  readonly value: string
  readonly label: string
  readonly note?: string
}

interface PickListProps {
  readonly label: string
  readonly options: Fetched<readonly Option[]>
  readonly picked: readonly string[]
  readonly onChange: (picked: readonly string[]) => void
  /** Offers all options, including future ones, as `*`. */
  readonly allLabel?: string
  readonly empty: string
}

const all = '*'
const mostShown = 200
const searchFrom = 8

/** Picks any number of existing options. */
export function PickList({ label, options, picked, onChange, allLabel, empty }: PickListProps) {
  const [text, setText] = useState('')
  const isAll = picked.includes(all)
  const words = text.toLowerCase()
  const known = withPicked(itemsOf(options), picked)
  const fitting = known.filter((option) => `${option.value} ${option.label}`.toLowerCase().includes(words))
  const toggle = (value: string, isOn: boolean) =>
    onChange(isOn ? [...picked, value] : picked.filter((each) => each !== value))
  return (
    <fieldset className="min-w-0 rounded-md border border-line">
      <legend className="ml-2 px-1 text-xs font-semibold text-muted">{label}</legend>
      <div className="grid gap-1 p-2">
        {known.length > searchFrom && (
          <TextInput
            type="search"
            aria-label={`Search ${label}`}
            placeholder="Search…"
            value={text}
            onChange={setText}
          />
        )}
        <ul className="grid max-h-60 gap-px overflow-y-auto">
          {allLabel !== undefined && (
            <li>
              <Checkbox label={allLabel} isOn={isAll} onChange={(isOn) => onChange(isOn ? [all] : [])} />
            </li>
          )}
          {!isAll &&
            fitting.slice(0, mostShown).map(({ value, label: text, note }) => (
              <li key={value}>
                <Checkbox
                  label={text}
                  {...(note === undefined ? {} : { note })}
                  isOn={picked.includes(value)}
                  onChange={(isOn) => toggle(value, isOn)}
                />
              </li>
            ))}
        </ul>
        <Unknown of={options} empty={empty} />
        {fitting.length > mostShown && <p className="px-1 text-xs text-muted">Type to see the rest.</p>}
      </div>
    </fieldset>
  )
}

/** Picked options can be removed even if the others are not known. */
function withPicked(options: readonly Option[], picked: readonly string[]): readonly Option[] {
  const values = new Set(options.map(({ value }) => value))
  const others = picked.filter((value) => value !== all && !values.has(value))
  return [...options, ...others.map((value) => ({ value, label: value }))]
}
