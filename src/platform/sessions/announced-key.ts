import { isRefusal, unauthorized } from '../../api/error.ts'
import { createObject } from '../../registry/verbs/create.ts'
import { deleteObject } from '../../registry/verbs/delete.ts'
import type { AnnouncedKey, AnnouncedMachine, EnteredUser, IssuedKey } from '../../server/contract.ts'
import { platformRequest } from '../platform-user.ts'
import { shownIdentity } from '../signed-on/identity.ts'
import { removeSession } from './remove-session.ts'
import type { SessionParts } from './session-parts.ts'

const manager = 'sessions'

/**
 * A placeholder for the key of a machine that was approved and may take minutes to fetch it: whatever ends the sessions
 * of the user meanwhile ends the placeholder, too. Data from the provider is stored only in the key itself.
 */
export async function announceKey(
  parts: SessionParts,
  { user, signedOn }: EnteredUser,
  { machine, address, ttlSeconds }: AnnouncedMachine,
): Promise<AnnouncedKey> {
  const { kind, clock } = parts.keyParts
  const value = {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: { generateName: 'login-' },
    spec: {
      displayName: `Command line, ${machine}, from ${address} (waiting)`,
      user,
      ttl: ttlSeconds,
      type: 'Login',
      identity: shownIdentity(signedOn, clock.now()),
    },
  }
  const body = { value, duplicateFields: [], text: '' }
  const request = platformRequest(manager, new AbortController().signal)
  const { document } = await createObject(parts.keys(), { namespace: '' }, body, request)
  return { keyName: document.name, keyUid: document.object.metadata.uid ?? '' }
}

/**
 * Replaces the placeholder with the key. Throws a 401 if the placeholder was removed: the user has signed out, here or
 * at the provider.
 */
export async function replaceAnnounced(parts: SessionParts, announced: AnnouncedKey, issued: IssuedKey): Promise<void> {
  const keys = parts.keys()
  const { keyName: name, keyUid: uid } = announced
  const request = platformRequest(manager, new AbortController().signal)
  try {
    await deleteObject(keys, { namespace: '', name }, { dryRun: false, preconditions: { uid } }, request)
  } catch (error) {
    await removeSession(keys, issued.keyName, undefined)
    if (!isRefusal(error, 404) && !isRefusal(error, 409)) throw error
    throw unauthorized('the user has signed out since: sign in again')
  }
}
