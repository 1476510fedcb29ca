interface RadioListProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly note?: string }[]
  readonly isInline?: boolean
  readonly onChange: (value: Value) => void
}

export function RadioList<Value extends string>({
  label,
  value,
  choices,
  isInline = false,
  onChange,
}: RadioListProps<Value>) {
  return (
    <fieldset className={isInline ? 'flex flex-wrap gap-x-3' : 'grid gap-1'}>
      <legend className={isInline ? 'sr-only' : 'mb-1 font-medium'}>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="flex items-start gap-2 rounded-md px-1 py-1 hover:bg-raised">
          <input
            type="radio"
            className="mt-0.5 size-4 shrink-0 accent-accent"
            name={label}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span>
            {choice.label}
            {choice.note !== undefined && <span className="block text-xs text-muted">{choice.note}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
