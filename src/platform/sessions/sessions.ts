import { unauthorized } from '../../api/error.ts'
import type { TokenSource } from '../../auth/contract.ts'
import type { KeyOwner } from '../../auth/keys/contract.ts'
import { mintSession } from '../../auth/keys/values/session-value.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { createObject } from '../../registry/verbs/create.ts'
import type { BegunSession, Sessions } from '../../server/contract.ts'
import { platformRequest } from '../platform-user.ts'
import { announceKey, replaceAnnounced } from './announced-key.ts'
import { endSignedOn } from './end-signed-on.ts'
import { enteredPerson } from './entered-person.ts'
import { issueKey } from './login-key.ts'
import { issueForMachine } from './machine-key.ts'
import { removeSession } from './remove-session.ts'
import { sessionEndMs } from './session-end.ts'
import { sessionKey, sessionSpec } from './session-key.ts'
import type { SessionParts } from './session-parts.ts'
import { personWithToken, type SessionPerson } from './session-person.ts'
import { heldSession, sessionsToEnd } from './sessions-to-end.ts'

const manager = 'sessions'

/** Browser sessions: each is an access key of type `Login`. */
export function createSessions(parts: SessionParts): Sessions {
  const { keyParts, keys, check } = parts
  const { index } = keyParts
  return {
    authenticate: (halves, source) =>
      parts.whenConfirmed(() => {
        const result = check(halves, source)
        const { engine } = keys()
        if (result.outcome !== 'unknown' || engine.store.soleWriter) return result
        // Another replica may just have started it.
        return caughtUp(engine).then(() => check(halves, source))
      }),
    begin: async ({ user, token, source }) => {
      const person = personWithToken(user, token, { ...keyParts, tokens: parts.tokens })
      if (person === undefined) throw unauthorized('a session is started with an access key')
      return begin(parts, person, source)
    },
    beginSignedOn: async (entered, source) => begin(parts, await enteredPerson(parts, entered), source),
    issueSignedOn: async (entered, source) => {
      await enteredPerson(parts, entered)
      const issued = await issueKey(parts, entered, source)
      if (entered.announced !== undefined) await replaceAnnounced(parts, entered.announced, issued)
      return issued
    },
    announce: async (entered, machine) => {
      await enteredPerson(parts, entered)
      return announceKey(parts, entered, machine)
    },
    issueForMachine: (machine) => issueForMachine(parts, machine),
    endSignedOn: (logout) => endSignedOn(parts, logout),
    end: ({ keyName, keyUid }) => removeSession(keys(), keyName, keyUid),
    expiresAtMs: ({ keyUid }) => index.expiresAtMs(keyUid),
  }
}

/** The only way to begin a session, however the person was authenticated. */
async function begin(parts: SessionParts, person: SessionPerson, source: TokenSource): Promise<BegunSession> {
  const { keyParts, check } = parts
  const { kind, random, directory, clock, settings } = keyParts
  const keys = parts.keys()
  const minted = mintSession(random)
  const nowMs = clock.now()
  const session = { person, minted, source, ownerUid: directory.uidOf(person.owner), nowMs }
  const context = {
    ...keys,
    hooks: { admitCreate: (object) => sessionKey(object, session, settings) },
  } satisfies ResourceContext
  const value = {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: { generateName: 'login-' },
    spec: sessionSpec(person, settings, nowMs),
  }
  const request = platformRequest(manager, new AbortController().signal)
  const { document } = await createObject(context, { namespace: '' }, { value, duplicateFields: [], text: '' }, request)
  const result = check(minted.halves, source)
  if (result.outcome !== 'authenticated') {
    // The credential it was started with has ended meanwhile.
    await removeSession(keys, document.name, undefined)
    throw unauthorized()
  }
  await makeRoom(parts, person.owner, document.name)
  return { halves: minted.halves, user: result.user, latestEndMs: sessionEndMs(settings, person.signedOn, nowMs) }
}

/** The limit never refuses a sign-in: if an owner has too many sessions, others end. */
async function makeRoom({ keyParts, keys }: SessionParts, owner: KeyOwner, newest: string): Promise<void> {
  const { index, settings } = keyParts
  const held = index.sessionsOf(owner).map((session) => heldSession(session, index))
  const ending = sessionsToEnd(held, newest, settings.sessionsPerOwner)
  await Promise.all(ending.map(({ name, uid }) => removeSession(keys(), name, uid)))
}
