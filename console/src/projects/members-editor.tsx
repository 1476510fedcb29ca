import { type Member, nameOf, type Team, type User } from '../api/objects.ts'
import { allListed, type Fetched, itemsOf, listFrom } from '../fetched/fetched.ts'
import { useLive } from '../live/use-live.ts'
import { Button } from '../parts/button.tsx'
import { Choice } from '../parts/field.tsx'
import { CloseIcon, PlusIcon } from '../parts/icons.tsx'
import { Unknown } from '../parts/shown.tsx'
import { useManagement } from '../session/session-context.tsx'

interface MembersEditorProps {
  readonly members: readonly Member[]
  readonly onChange: (members: readonly Member[]) => void
}

const roles = [
  ['admin', 'admin: everything'],
  ['user', 'user: work with it'],
  ['viewer', 'viewer: look'],
] as const

/** The members of a project, with their roles. */
export function MembersEditor({ members, onChange }: MembersEditorProps) {
  const known = useOwners()
  const choices = [...new Set([...itemsOf(known), ...members.map(idOf)])].map((id) => [id, labelOf(id)] as const)
  const set = (position: number, change: Partial<Member>) =>
    onChange(members.map((member, index) => (index === position ? { ...member, ...change } : member)))
  const free = choices.find(([id]) => !members.some((member) => idOf(member) === id))
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium">Members</legend>
      {members.length === 0 && (
        <p className="text-muted">
          No member yet. Administrators of the platform have their rights here without being one.
        </p>
      )}
      {members.map((member, index) => (
        <div key={idOf(member)} className="grid grid-cols-[1fr_1fr_auto] gap-2">
          <Choice
            aria-label={`Member ${index + 1}`}
            value={idOf(member)}
            choices={choices}
            onChange={(id) => set(index, readId(id))}
          />
          <Choice
            aria-label={`Role of member ${index + 1}`}
            value={member.role ?? 'user'}
            choices={roles}
            onChange={(role) => set(index, { role })}
          />
          <Button
            tone="quiet"
            square
            aria-label={`Remove ${member.name}`}
            onClick={() => onChange(members.filter((_, at) => at !== index))}
          >
            <CloseIcon />
          </Button>
        </div>
      ))}
      <Unknown of={known} empty="There is no user and no team that you may see." />
      <div>
        <Button
          disabled={free === undefined}
          onClick={() => free && onChange([...members, { ...readId(free[0]), role: 'user' }])}
        >
          <PlusIcon /> Add a member
        </Button>
      </div>
    </fieldset>
  )
}

/** Ids of all users and teams. */
function useOwners(): Fetched<readonly string[]> {
  const management = useManagement()
  const users = useLive<User>(management.path('users'))
  const teams = useLive<Team>(management.path('teams'))
  return allListed(
    listFrom(users, (all) => all.map((user) => `User/${nameOf(user)}`)),
    listFrom(teams, (all) => all.map((team) => `Team/${nameOf(team)}`)),
  )
}

function labelOf(id: string): string {
  return id.startsWith('Team/') ? `${id.slice(5)} (team)` : id.slice(5)
}

function idOf({ kind = 'User', name = '' }: Member): string {
  return `${kind}/${name}`
}

function readId(id: string): Member {
  return { kind: id.startsWith('Team/') ? 'Team' : 'User', name: id.slice(5) }
}
