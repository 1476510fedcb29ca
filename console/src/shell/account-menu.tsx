import { useNavigate } from '@tanstack/react-router'
import type { AccessKey } from '../api/objects.ts'
import { ask } from '../api/request.ts'
import { useAsked } from '../fetched/use-asked.ts'
import { exactTime } from '../format/time.ts'
import { scopeInShort } from '../keys/scope-words.ts'
import { UserIcon } from '../parts/icons.tsx'
import { Menu, MenuItem, MenuLine, MenuNote } from '../parts/menu.tsx'
import type { SessionKey } from '../session/session.ts'
import { useSession } from '../session/session-context.tsx'

/** The signed-in user, their key, and when the session ends. */
export function AccountMenu() {
  const { session, endSession } = useSession()
  const navigate = useNavigate()
  const { key, user } = session
  return (
    <Menu
      trigger={
        <button type="button" className="flex h-8 min-w-0 items-center gap-2 rounded-md px-2 hover:bg-raised">
          <UserIcon />
          <span className="max-w-40 truncate">{user}</span>
        </button>
      }
    >
      <MenuNote>
        Signed in as <strong className="text-text">{user}</strong>
        <br />
        {key === undefined ? 'by a token that is no access key' : <KeyFacts session={key} />}
      </MenuNote>
      <MenuLine />
      {key?.startedWith !== undefined && (
        <MenuItem onSelect={() => void navigate({ to: '/keys/$name', params: { name: key.startedWith ?? '' } })}>
          Show the key in use
        </MenuItem>
      )}
      <MenuItem onSelect={endSession}>Sign out</MenuItem>
    </Menu>
  )
}

function KeyFacts({ session }: { readonly session: SessionKey }) {
  const { management } = useSession().session
  const { startedWith, scope, endMs } = session
  const path = management.path('ownedaccesskeys', startedWith === undefined ? {} : { name: startedWith })
  // A key may lack the right to read itself.
  const asked = useAsked({
    queryKey: [path],
    queryFn: () => ask<AccessKey>(path),
    enabled: startedWith !== undefined,
    retry: false,
  })
  const displayName = asked.state === 'known' ? asked.value.spec?.displayName : undefined
  return (
    <>
      by the key{' '}
      <strong className="text-text">
        {startedWith === undefined ? 'that the platform was started with' : (displayName ?? startedWith)}
      </strong>
      <br />
      which reaches {scopeInShort(scope)}
      <br />
      {endMs === undefined ? 'and has no end' : `until ${exactTime(endMs)}`}
    </>
  )
}
