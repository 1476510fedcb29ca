import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { nameOf, type Team, type User } from '../api/objects.ts'
import { listFrom } from '../fetched/fetched.ts'
import { KeysOfOwner } from '../keys/keys-of-owner.tsx'
import { OwnerDeletion } from '../keys/owner-deletion.tsx'
import { useLive } from '../live/use-live.ts'
import { Badge } from '../parts/badge.tsx'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { ShownInline } from '../parts/shown.tsx'
import { EditButton } from '../resources/edit-button.tsx'
import { userKind } from '../resources/kinds.ts'
import { ObjectPage } from '../resources/object-page.tsx'
import { useManagement } from '../session/session-context.tsx'
import { userForm, userValues } from './user-form.tsx'

const route = getRouteApi('/users/$name')

export function UserPage() {
  const { name } = route.useParams()
  const navigate = useNavigate()
  return (
    <ObjectPage<User>
      kind={userKind}
      name={name}
      aside={({ spec }) => spec?.disabled === true && <Badge mood="bad">Locked</Badge>}
      actions={(user) => <EditButton kind={userKind} object={user} form={userForm} valuesOf={userValues} />}
      deletion={() => <OwnerDeletion owner="user" />}
      onDeleted={() => void navigate({ to: '/users' })}
      tabs={(user) => [
        { id: 'overview', label: 'Overview', content: <UserFacts user={user} /> },
        { id: 'keys', label: 'Access keys', content: <KeysOfOwner field="spec.user" name={nameOf(user)} /> },
      ]}
    />
  )
}

function UserFacts({ user }: { readonly user: User }) {
  const { spec = {} } = user
  const name = nameOf(user)
  const teams = listFrom(useLive<Team>(useManagement().path('teams')), (all) =>
    all.filter(
      ({ spec: team }) => team?.users?.includes(name) || team?.groups?.some((group) => spec.groups?.includes(group)),
    ),
  )
  return (
    <Panel title="Facts">
      <Facts
        facts={[
          { label: 'User name', value: spec.username || '–' },
          { label: 'Mail address', value: spec.email || '–' },
          { label: 'Rights are given to', value: <code>{spec.subject || name}</code> },
          { label: 'Groups', value: spec.groups?.join(', ') || '–' },
          {
            label: 'Teams',
            value: (
              <ShownInline of={teams} empty="none">
                {(own) => own.map(nameOf).join(', ')}
              </ShownInline>
            ),
          },
        ]}
      />
    </Panel>
  )
}
