import type { AccessKey } from '../../api/types/management.ts'
import type { TokenSource } from '../../auth/contract.ts'
import { createObject } from '../../registry/verbs/create.ts'
import type { EnteredUser, IssuedKey } from '../../server/contract.ts'
import { accessKeyOf } from '../access-keys/record/access-key.ts'
import { platformRequest } from '../platform-user.ts'
import { shownIdentity } from '../signed-on/identity.ts'
import { isOfMachine } from './machine-key.ts'
import { removeSession } from './remove-session.ts'
import { sessionEndMs } from './session-end.ts'
import type { SessionParts } from './session-parts.ts'

const manager = 'sessions'

/**
 * The key of a command that a user signed in with a browser. Its type is `Login`, so it ends with the sessions when the
 * user signs out everywhere; it also has its own end.
 */
export async function issueKey(
  parts: SessionParts,
  { user, signedOn, machine, announced }: EnteredUser,
  { address }: Pick<TokenSource, 'address'>,
): Promise<IssuedKey> {
  const { kind, clock, settings } = parts.keyParts
  const keys = parts.keys()
  const nowMs = clock.now()
  const { connectorData } = signedOn
  const value = {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: { generateName: 'login-' },
    spec: {
      // A user looking for a machine that was approved by mistake must be able to tell it from their own.
      displayName: `Command line${machine === undefined ? '' : `, ${machine},`} from ${address}`,
      user,
      ttl: Math.max(1, Math.floor((sessionEndMs(settings, signedOn, nowMs) - nowMs) / 1000)),
      type: 'Login',
      identity: { ...shownIdentity(signedOn, nowMs), ...(connectorData === undefined ? {} : { connectorData }) },
    },
  }
  const request = platformRequest(manager, new AbortController().signal)
  const { document } = await createObject(keys, { namespace: '' }, { value, duplicateFields: [], text: '' }, request)
  const { spec = {} } = accessKeyOf(document.object)
  // The placeholder does not count: it is removed when this key replaces it.
  await makeRoom(parts, user, [document.name, announced?.keyName])
  return { accessKey: spec.key ?? '', keyName: document.name }
}

/** As with sessions, a sign-in always succeeds, and the oldest key is removed. */
async function makeRoom(
  { keyParts, keys }: SessionParts,
  user: string,
  newest: readonly (string | undefined)[],
): Promise<void> {
  const { keysByOwner, storedKey, index, settings } = keyParts
  const sessions = new Set(index.sessionsOf({ kind: 'user', name: user }).map(({ name }) => name))
  const others = keysByOwner
    .namesOf([{ kind: 'user', name: user }])
    .filter((name) => !newest.includes(name) && !sessions.has(name))
    .flatMap((name) => storedKey(name) ?? [])
    .map(({ object }) => accessKeyOf(object))
    .filter((key) => key.spec?.type === 'Login' && (key.spec.parent ?? '') === '' && !isOfMachine(key))
  const createdAt = ({ metadata }: AccessKey) => metadata.creationTimestamp ?? ''
  const oldest = others
    .sort((a, b) => createdAt(b).localeCompare(createdAt(a)))
    .slice(Math.max(settings.sessionsPerOwner - 1, 0))
  await Promise.all(oldest.map(({ metadata }) => removeSession(keys(), metadata.name ?? '', metadata.uid)))
}
