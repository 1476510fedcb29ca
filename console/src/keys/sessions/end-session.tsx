import { useMutation } from '@tanstack/react-query'
import { Button } from '../../parts/button.tsx'
import { useIsKeyInUse, useManagement, useSession } from '../../session/session-context.tsx'
import { deleteKey } from '../key-requests.ts'
import type { SessionRow } from './session-row.ts'

/** The session is refused from the next request on; the user's own session is signed out. */
export function EndSession({ row }: { readonly row: SessionRow }) {
  const management = useManagement()
  const { endSession } = useSession()
  const isOwn = useIsKeyInUse(row.name)
  const ending = useMutation({ mutationFn: () => deleteKey(management, row.key) })
  if (isOwn)
    return (
      <Button tone="quiet" onClick={endSession} title="This is the session you are using">
        Sign out
      </Button>
    )
  return (
    <Button
      tone="danger-quiet"
      disabled={ending.isPending}
      aria-label={`End the session of ${row.owner}`}
      title={ending.error === null ? 'End this session' : ending.error.message}
      onClick={() => ending.mutate()}
    >
      {ending.error === null ? 'End' : 'Not ended'}
    </Button>
  )
}
