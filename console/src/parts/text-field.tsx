import type { ComponentProps, ReactNode } from 'react'
import { Field, TextArea, TextInput } from './field.tsx'

interface Described {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
}

/** A line of text with its label. */
export function TextField({ label, hint, error, ...input }: Described & ComponentProps<typeof TextInput>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <TextInput {...control} {...input} />}
    </Field>
  )
}

/** Several lines of text with their label. */
export function TextAreaField({ label, hint, error, ...input }: Described & ComponentProps<typeof TextArea>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <TextArea {...control} {...input} />}
    </Field>
  )
}
