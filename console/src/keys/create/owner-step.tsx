import type { Team, User } from '../../api/objects.ts'
import { itemsOf } from '../../fetched/fetched.ts'
import { useLive } from '../../live/use-live.ts'
import { Choice, Field } from '../../parts/field.tsx'
import { RadioList } from '../../parts/radio-list.tsx'
import { Unknown } from '../../parts/shown.tsx'
import { useSession } from '../../session/session-context.tsx'
import type { StepProps } from './step.ts'

export function OwnerStep({ draft, onChange }: StepProps) {
  const { session } = useSession()
  const users = useLive<User>(session.management.path('users'))
  const teams = useLive<Team>(session.management.path('teams'))
  const { kind, name } = draft.owner
  const owners = kind === 'user' ? users : teams
  return (
    <div className="grid gap-4">
      <RadioList
        label="Whom does the key act for?"
        value={kind}
        choices={[
          { value: 'self', label: `Me (${session.user})` },
          { value: 'user', label: 'Another user', note: 'Needs the right to impersonate that user.' },
          { value: 'team', label: 'A team', note: 'The key stays when people leave the team.' },
        ]}
        onChange={(chosen) =>
          onChange({ ...draft, owner: { kind: chosen, name: firstName(chosen, itemsOf(users), itemsOf(teams)) } })
        }
      />
      {kind !== 'self' && (
        <Field label={kind === 'user' ? 'User' : 'Team'}>
          {(control) => (
            <Choice
              {...control}
              value={name}
              choices={namesOf(itemsOf(owners))}
              onChange={(chosen) => onChange({ ...draft, owner: { kind, name: chosen } })}
            />
          )}
        </Field>
      )}
      {kind !== 'self' && <Unknown of={owners} empty="None that you may see." />}
      <p className="text-muted">
        The key can never do more than its owner may do at the moment of a request. When the owner is locked or deleted,
        the key is refused.
      </p>
    </div>
  )
}

function namesOf(owners: readonly (User | Team)[]): readonly (readonly [string, string])[] {
  return owners.map(({ metadata, spec }) => {
    const name = metadata.name ?? ''
    return [name, spec?.displayName === undefined || spec.displayName === name ? name : `${spec.displayName} (${name})`]
  })
}

function firstName(kind: 'self' | 'user' | 'team', users: readonly User[], teams: readonly Team[]): string {
  if (kind === 'self') return ''
  return (kind === 'user' ? users : teams)[0]?.metadata.name ?? ''
}
