import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { AccessKey } from '../api/objects.ts'
import { ask } from '../api/request.ts'
import { exactTime } from '../format/time.ts'
import { scopeInShort } from '../keys/scope-words.ts'
import { UserIcon } from '../parts/icons.tsx'
import { Menu, MenuItem, MenuLine, MenuNote } from '../parts/menu.tsx'
import type { SessionKey } from '../session/session.ts'
import { useSession } from '../session/session-context.tsx'

/** Who is signed in, by which key and until when. */
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
        {key === undefined ? 'by a token that is no access key' : <KeyFacts accessKey={key} />}
      </MenuNote>
      <MenuLine />
      {key !== undefined && (
        <MenuItem onSelect={() => void navigate({ to: '/keys/$name', params: { name: key.name } })}>
          Show the key in use
        </MenuItem>
      )}
      <MenuItem onSelect={endSession}>Sign out</MenuItem>
    </Menu>
  )
}

function KeyFacts({ accessKey }: { readonly accessKey: SessionKey }) {
  const { management } = useSession().session
  const { name, scope, endMs } = accessKey
  const path = management.path('ownedaccesskeys', { name })
  // A key need not be allowed to look at itself.
  const { data } = useQuery({ queryKey: [path], queryFn: () => ask<AccessKey>(path), retry: false })
  return (
    <>
      by the key <strong className="text-text">{data?.spec?.displayName ?? name}</strong>
      <br />
      which reaches {scopeInShort(scope)}
      <br />
      {endMs === undefined ? 'and has no end' : `until ${exactTime(endMs)}`}
    </>
  )
}
