import { nameOf, type Team, type User } from '../api/objects.ts'
import { listFrom } from '../fetched/fetched.ts'
import { useLive } from '../live/use-live.ts'
import { type Option, PickList } from '../parts/pick-list.tsx'
import { TextField } from '../parts/text-field.tsx'
import { DescriptionFields } from '../resources/description-fields.tsx'
import type { ResourceForm } from '../resources/form.ts'
import { printNames, readNames, textOrNothing } from '../resources/text-list.ts'
import { useManagement } from '../session/session-context.tsx'

interface TeamValues {
  readonly displayName: string
  readonly description: string
  readonly users: readonly string[]
  readonly groups: string
}

export const teamForm: ResourceForm<TeamValues> = {
  empty: { displayName: '', description: '', users: [], groups: '' },
  toSpec: ({ displayName, description, users, groups }) => ({
    displayName: textOrNothing(displayName),
    description: textOrNothing(description),
    users,
    groups: readNames(groups),
  }),
  fields: (values, onChange) => (
    <>
      <DescriptionFields values={values} onChange={onChange} />
      <UserPicker picked={values.users} onChange={(users) => onChange({ ...values, users })} />
      <TextField
        label="Groups"
        hint="Users in one of these groups are in the team too. Separate names with commas."
        value={values.groups}
        onChange={(groups) => onChange({ ...values, groups })}
      />
    </>
  ),
}

export function teamValues({ spec = {} }: Team): TeamValues {
  const { displayName = '', description = '', users = [], groups } = spec
  return { displayName, description, users, groups: printNames(groups) }
}

function UserPicker({
  picked,
  onChange,
}: {
  readonly picked: readonly string[]
  readonly onChange: (picked: readonly string[]) => void
}) {
  const users = useLive<User>(useManagement().path('users'))
  const options = listFrom(users, (all) => all.map(asOption))
  return (
    <PickList
      label="Members"
      options={options}
      empty="There is no user that you may see."
      picked={picked}
      onChange={onChange}
    />
  )
}

function asOption(user: User): Option {
  return { value: nameOf(user), label: nameOf(user) }
}
