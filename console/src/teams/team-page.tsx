import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { nameOf, type Team } from '../api/objects.ts'
import { KeysOfOwner } from '../keys/keys-of-owner.tsx'
import { OwnerDeletion } from '../keys/owner-deletion.tsx'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { linkClass } from '../resources/common-columns.tsx'
import { EditButton } from '../resources/edit-button.tsx'
import { teamKind } from '../resources/kinds.ts'
import { ObjectPage } from '../resources/object-page.tsx'
import { teamForm, teamValues } from './team-form.tsx'

const route = getRouteApi('/teams/$name')

export function TeamPage() {
  const { name } = route.useParams()
  const navigate = useNavigate()
  return (
    <ObjectPage<Team>
      kind={teamKind}
      name={name}
      actions={(team) => <EditButton kind={teamKind} object={team} form={teamForm} valuesOf={teamValues} />}
      deletion={() => <OwnerDeletion owner="team" />}
      onDeleted={() => void navigate({ to: '/teams' })}
      tabs={(team) => [
        { id: 'overview', label: 'Overview', content: <TeamFacts team={team} /> },
        { id: 'keys', label: 'Access keys', content: <KeysOfOwner field="spec.team" name={nameOf(team)} /> },
      ]}
    />
  )
}

function TeamFacts({ team }: { readonly team: Team }) {
  const { spec = {} } = team
  return (
    <Panel title="Facts">
      <Facts
        facts={[
          {
            label: 'Members',
            value: (
              <ul className="flex flex-wrap gap-x-3">
                {(spec.users ?? []).map((user) => (
                  <li key={user}>
                    <Link to="/users/$name" params={{ name: user }} className={linkClass}>
                      {user}
                    </Link>
                  </li>
                ))}
                {(spec.users ?? []).length === 0 && <li className="text-muted">none: add some with Edit</li>}
              </ul>
            ),
          },
          { label: 'Groups', value: spec.groups?.join(', ') || '–' },
          { label: 'Rights are given to', value: <code>{spec.username || nameOf(team)}</code> },
        ]}
      />
    </Panel>
  )
}
