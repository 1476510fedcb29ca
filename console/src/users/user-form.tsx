import type { User } from '../api/objects.ts'
import { Checkbox } from '../parts/checkbox.tsx'
import { TextField } from '../parts/text-field.tsx'
import type { ResourceForm } from '../resources/form.ts'
import { printNames, readNames, textOrNothing } from '../resources/text-list.ts'

interface UserValues {
  readonly displayName: string
  readonly username: string
  readonly email: string
  readonly groups: string
  readonly isLocked: boolean
}

export const userForm: ResourceForm<UserValues> = {
  empty: { displayName: '', username: '', email: '', groups: '', isLocked: false },
  toSpec: ({ displayName, username, email, groups, isLocked }) => ({
    displayName: textOrNothing(displayName),
    username: textOrNothing(username),
    email: textOrNothing(email),
    groups: readNames(groups),
    disabled: isLocked,
  }),
  fields: (values, onChange) => (
    <>
      <TextField
        label="Display name"
        value={values.displayName}
        onChange={(displayName) => onChange({ ...values, displayName })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="User name"
          hint="What the user signs on with."
          value={values.username}
          onChange={(username) => onChange({ ...values, username })}
        />
        <TextField
          label="Mail address"
          type="email"
          value={values.email}
          onChange={(email) => onChange({ ...values, email })}
        />
      </div>
      <TextField
        label="Groups"
        hint="Names, apart by commas. Roles can be given to groups."
        value={values.groups}
        onChange={(groups) => onChange({ ...values, groups })}
      />
      <Checkbox
        label="Locked"
        note="All access keys of the user are refused, and their open connections are cut."
        isOn={values.isLocked}
        onChange={(isLocked) => onChange({ ...values, isLocked })}
      />
    </>
  ),
}

export function userValues({ spec = {} }: User): UserValues {
  const { displayName = '', username = '', email = '', groups, disabled = false } = spec
  return { displayName, username, email, groups: printNames(groups), isLocked: disabled }
}
