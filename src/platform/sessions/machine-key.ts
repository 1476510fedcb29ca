import type { AccessKey } from '../../api/types/management.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { createObject } from '../../registry/verbs/create.ts'
import type { ExchangedToken, MachineKey } from '../../server/contract.ts'
import { accessKeyOf, ownerFieldsOf } from '../access-keys/record/access-key.ts'
import { timeOf } from '../access-keys/record/key-record.ts'
import { isMachineKey, machineKeyPrefix } from '../by-machine.ts'
import { platformRequest } from '../platform-user.ts'
import { removeSession } from './remove-session.ts'
import type { SessionParts } from './session-parts.ts'

const manager = 'token-exchange'
const mostLiving = 500
/** Delay after the end of a key, so that every replica has noticed the end. */
const removedAfterMs = 60_000
const longestSubject = 200

/**
 * A short-lived key for a machine that exchanged its token. Its type is `Login`: its life cannot be extended, and it
 * makes no other key. Issuing a key removes those that have ended. Undefined: the owner does not exist, is locked, or
 * has too many keys.
 */
export async function issueForMachine(parts: SessionParts, machine: ExchangedToken): Promise<MachineKey | undefined> {
  const { kind, directory } = parts.keyParts
  const { owner, scope, ttlSeconds, issuer, subject } = machine
  const keys = parts.keys()
  if (!keys.engine.store.soleWriter) await caughtUp(keys.engine)
  if (directory.owner(owner)?.locked !== false || !(await hasRoom(parts, owner))) return undefined
  const value = {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: { generateName: machineKeyPrefix },
    spec: {
      displayName: `${subject.slice(0, longestSubject)} by ${issuer}`,
      ...ownerFieldsOf(owner),
      ...(scope === undefined ? {} : { scope }),
      ttl: ttlSeconds,
      type: 'Login',
    },
  }
  const request = platformRequest(manager, new AbortController().signal)
  const { document } = await createObject(keys, { namespace: '' }, { value, duplicateFields: [], text: '' }, request)
  const { spec = {} } = accessKeyOf(document.object)
  return { accessKey: spec.key ?? '', keyName: document.name, ttlSeconds }
}

/** Keys of machines are not sessions of the user they act for. */
export function isOfMachine({ metadata, spec }: AccessKey): boolean {
  return isMachineKey({ name: metadata.name ?? '', type: spec?.type ?? '' })
}

/** A key in use is never ended to make room: a machine would stop in the middle of its work. */
async function hasRoom({ keyParts, keys }: SessionParts, owner: ExchangedToken['owner']): Promise<boolean> {
  const { keysByOwner, storedKey, clock } = keyParts
  const made = keysByOwner
    .namesOf([owner])
    .filter((name) => name.startsWith(machineKeyPrefix))
    .flatMap((name) => storedKey(name) ?? [])
    .map(({ object }) => accessKeyOf(object))
    .filter(isOfMachine)
  const isOver = ({ status }: AccessKey) =>
    (timeOf(status?.expiresAt) ?? Number.POSITIVE_INFINITY) + removedAfterMs < clock.now()
  const over = made.filter(isOver)
  await Promise.all(over.map(({ metadata }) => removeSession(keys(), metadata.name ?? '', metadata.uid)))
  return made.length - over.length < mostLiving
}
