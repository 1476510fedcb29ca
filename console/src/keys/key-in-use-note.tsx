import { type AccessKey, nameOf } from '../api/objects.ts'
import { useIsKeyInUse } from '../session/session-context.tsx'

/** Warns before the user ends the key of the current session. */
export function KeyInUseNote({ accessKey }: { readonly accessKey: AccessKey }) {
  if (!useIsKeyInUse(nameOf(accessKey))) return null
  return (
    <p role="note" className="rounded-md bg-warn-soft px-3 py-2 text-warn">
      You are signed in with this key: it ends your session, and you need another key to sign in again.
    </p>
  )
}
