import type { SignedOn } from '../../auth/signed-on.ts'
import { timestamp } from '../../base/clock.ts'
import { deepEqual } from '../../base/equal.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { type StoredDocument, sealedBytes } from '../../registry/document.ts'
import { storeChanged } from '../../registry/stored-write.ts'
import { specOf } from '../access-keys/record/access-key.ts'
import { sealedOf, timeOf } from '../access-keys/record/key-record.ts'
import { sealedForm } from '../access-keys/record/sealed-key.ts'
import { shownIdentity } from './identity.ts'

/** A session or key from a sign-in. */
export interface SessionId {
  readonly name: string
  readonly uid: string | undefined
}

/** When its provider was last asked. Undefined: there are no data to ask with. */
export function lastRefreshMs(document: StoredDocument): number | undefined {
  if (document.object.metadata.deletionTimestamp !== undefined) return undefined
  if (sealedOf(document)?.connectorData === undefined) return undefined
  return timeOf(specOf(document.object).identity?.identityRefresh)
}

export function connectorOf(document: StoredDocument): string {
  return specOf(document.object).identity?.connector ?? ''
}

export function signedOnOf(document: StoredDocument): SignedOn | undefined {
  const { identity } = specOf(document.object)
  const connectorData = sealedOf(document)?.connectorData
  if (identity === undefined || connectorData === undefined) return undefined
  const { connector = '', userId = '', username = '', preferredUsername, email, groups = [] } = identity
  return {
    connector,
    userId,
    username,
    emailVerified: identity.emailVerified === true,
    groups,
    extraClaims: JSON.parse(JSON.stringify(identity.extraClaims ?? {})),
    connectorData,
    ...(preferredUsername === undefined ? {} : { preferredUsername }),
    ...(email === undefined ? {} : { email }),
  }
}

/**
 * Records the request to the provider before it is made: a refresh token may be valid only once, and the replica whose
 * write comes first uses it. Undefined: another replica has claimed it.
 */
export async function claimRefresh(
  keys: ResourceContext,
  document: StoredDocument,
): Promise<StoredDocument | undefined> {
  const spec = specOf(document.object)
  const identity = { ...spec.identity, identityRefresh: timestamp(keys.engine.clock.now()) }
  const stored = await storeChanged(keys, document, { ...document.object, spec: { ...spec, identity } })
  return stored.outcome === 'written' ? stored.document : undefined
}

/** Another write must not discard the data that the next refresh needs. */
export function keepConnectorData(keys: ResourceContext, session: SessionId, connectorData: string): Promise<void> {
  return change(keys, session, async (current) => {
    const sealed = sealedOf(current)
    if (sealed === undefined) return undefined
    return storeChanged(keys, current, current.object, sealedBytes(sealedForm({ ...sealed, connectorData })))
  })
}

export function keepIdentity(keys: ResourceContext, session: SessionId, signedOn: SignedOn): Promise<void> {
  return change(keys, session, async (current) => {
    const spec = specOf(current.object)
    const identity = { ...shownIdentity(signedOn, 0), identityRefresh: spec.identity?.identityRefresh }
    if (deepEqual(identity, spec.identity)) return undefined
    return storeChanged(keys, current, { ...current.object, spec: { ...spec, identity } })
  })
}

type Write = (current: StoredDocument) => Promise<Awaited<ReturnType<typeof storeChanged>> | undefined>

/** Retries until it is written, or the session was removed. */
async function change(keys: ResourceContext, { name, uid }: SessionId, write: Write): Promise<void> {
  let current = keys.cache.get({ namespace: '', name })
  while (current !== undefined && current.object.metadata.uid === uid) {
    const stored = await write(current)
    current = stored?.outcome === 'conflict' ? stored.current : undefined
  }
}
