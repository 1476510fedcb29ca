import type { SignOnLogout } from '../../auth/signed-on.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { specOf } from '../access-keys/record/access-key.ts'
import { sealedOf } from '../access-keys/record/key-record.ts'
import { removeSession } from './remove-session.ts'
import type { SessionParts } from './session-parts.ts'

/** Ends the sessions of a user who signed out at the provider, and the keys of commands from the same sign-in. */
export async function endSignedOn({ keyParts, keys }: SessionParts, logout: SignOnLogout): Promise<number> {
  const { engine } = keys()
  if (!engine.store.soleWriter) await caughtUp(engine)
  const owners = keyParts.directory
    .usersOfIdentity(logout.connector, logout.userId)
    .map((name) => ({ kind: 'user' as const, name }))
  const over = keyParts.keysByOwner
    .namesOf(owners)
    .flatMap((name) => keyParts.storedKey(name) ?? [])
    .filter((document) => isEndedBy(logout, document))
  await Promise.all(over.map(({ name, object }) => removeSession(keys(), name, object.metadata.uid)))
  return over.length
}

/** If the provider's id of a session is not known, the session ends, too: it may be the right one. */
function isEndedBy({ connector, userId, providerSession }: SignOnLogout, document: StoredDocument): boolean {
  const { type, identity } = specOf(document.object)
  if (type !== 'Login' || identity?.connector !== connector || identity.userId !== userId) return false
  const known = sealedOf(document)?.providerSession
  return providerSession === undefined || known === undefined || known === providerSession
}
