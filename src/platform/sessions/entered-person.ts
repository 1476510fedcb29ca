import { unauthorized } from '../../api/error.ts'
import { caughtUp } from '../../registry/freshness.ts'
import type { EnteredUser } from '../../server/contract.ts'
import type { SessionParts } from './session-parts.ts'
import { personSignedOn, type SessionPerson } from './session-person.ts'

/**
 * The user that a sign-in led to, who may just have been created at another replica. Throws a 401 if the user is
 * locked, or if the identity no longer leads to that user, because another user may have the name by now.
 */
export async function enteredPerson(parts: SessionParts, { user, signedOn }: EnteredUser): Promise<SessionPerson> {
  const { engine } = parts.keys()
  if (!engine.store.soleWriter) await caughtUp(engine)
  const users = parts.keyParts.directory.usersOfIdentity(signedOn.connector, signedOn.userId)
  if (!users.includes(user) || parts.keyParts.directory.user(user)?.locked !== false) {
    throw unauthorized('the user has changed since: sign in again')
  }
  return personSignedOn(user, signedOn)
}
