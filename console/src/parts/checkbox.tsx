interface CheckboxProps {
  readonly label: string
  readonly note?: string
  readonly isOn: boolean
  readonly isDisabled?: boolean
  readonly onChange: (isOn: boolean) => void
}

export function Checkbox({ label, note, isOn, isDisabled = false, onChange }: CheckboxProps) {
  return (
    <label className="flex min-w-0 items-start gap-2 rounded-md px-1 py-1 hover:bg-raised">
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-accent"
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="min-w-0">
        <span className="break-words">{label}</span>
        {note !== undefined && <span className="block text-xs text-muted">{note}</span>}
      </span>
    </label>
  )
}
