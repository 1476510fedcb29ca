import { TextAreaField, TextField } from '../parts/text-field.tsx'

interface Described {
  readonly displayName: string
  readonly description: string
}

/** What the forms of most kinds begin with. */
export function DescriptionFields<Values extends Described>({
  values,
  onChange,
}: {
  readonly values: Values
  readonly onChange: (values: Values) => void
}) {
  return (
    <>
      <TextField
        label="Display name"
        value={values.displayName}
        onChange={(displayName) => onChange({ ...values, displayName })}
      />
      <TextAreaField
        label="Description"
        value={values.description}
        onChange={(description) => onChange({ ...values, description })}
      />
    </>
  )
}
