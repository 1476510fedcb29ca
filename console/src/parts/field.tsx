import { type ComponentProps, type ReactNode, useId } from 'react'

const inputClass =
  'h-8 w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 text-text placeholder:text-muted aria-invalid:border-bad'

/** Connects an input to its label, hint and error. */
export interface FieldControl {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: true
}

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly children: (control: FieldControl) => ReactNode
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const described = error !== undefined || hint !== undefined ? { 'aria-describedby': `${id}-more` } : {}
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({ id, ...described, ...(error === undefined ? {} : { 'aria-invalid': true as const }) })}
      {(error !== undefined || hint !== undefined) && (
        <p id={`${id}-more`} className={error === undefined ? 'text-xs text-muted' : 'text-xs text-bad'}>
          {error ?? hint}
        </p>
      )}
    </div>
  )
}

interface TextInputProps extends Omit<ComponentProps<'input'>, 'onChange' | 'className'> {
  readonly onChange: (text: string) => void
}

export function TextInput({ onChange, spellCheck = false, ...rest }: TextInputProps) {
  return (
    <input
      className={inputClass}
      spellCheck={spellCheck}
      onChange={(event) => onChange(event.target.value)}
      {...rest}
    />
  )
}

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'onChange' | 'className'> {
  readonly onChange: (text: string) => void
}

export function TextArea({ onChange, rows = 2, ...rest }: TextAreaProps) {
  return (
    <textarea
      className={`${inputClass} h-auto py-1.5`}
      rows={rows}
      onChange={(event) => onChange(event.target.value)}
      {...rest}
    />
  )
}

interface ChoiceProps<Value extends string> extends Omit<ComponentProps<'select'>, 'onChange' | 'className' | 'value'> {
  readonly value: Value
  readonly choices: readonly (readonly [Value, string])[]
  readonly onChange: (value: Value) => void
}

export function Choice<Value extends string>({ value, choices, onChange, ...rest }: ChoiceProps<Value>) {
  const choose = (text: string) => {
    const chosen = choices.find(([each]) => each === text)
    if (chosen !== undefined) onChange(chosen[0])
  }
  return (
    <select className={inputClass} value={value} onChange={(event) => choose(event.target.value)} {...rest}>
      {choices.map(([each, label]) => (
        <option key={each} value={each}>
          {label}
        </option>
      ))}
    </select>
  )
}
