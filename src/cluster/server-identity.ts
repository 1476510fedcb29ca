import { rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Authenticator } from '../auth/contract.ts'
import { publicIdOf } from '../auth/keys/key-value.ts'
import type { TokenSigner } from '../auth/service-account-issuer.ts'
import {
  createStaticTokenAuthenticator,
  type StaticToken,
  type StaticTokens,
  tokenHash,
} from '../auth/static-tokens.ts'
import { systemClock, timestamp } from '../base/clock.ts'
import type { VerifyingKey } from '../base/keypair.ts'
import type { Log } from '../base/log.ts'
import { rest } from '../base/pause.ts'
import { systemRandom } from '../base/random.ts'
import {
  type AdminRecord,
  adminRecordKey,
  agreeOnAdmin,
  agreeOnNewerAdmin,
  readAdminRecord,
} from '../platform/identity/admin-record.ts'
import { AgreedIdentity } from '../platform/identity/agreed-identity.ts'
import { publishKey } from '../platform/identity/published-keys.ts'
import type { Store } from '../storage/contract.ts'
import { followResets, takeReset } from './admin-reset.ts'
import { adminKey, adminKeyFile, adminToken, adminUser, foundSecret, type KeptSecret } from './identity.ts'
import { type NewSigningKey, signingKeysIn } from './new-signing-key.ts'
import { ServiceAccountKeyring } from './service-account-keyring.ts'

/** The administrator's key, if its value is kept here, or where it is. Absent for a key that the operator gave. */
export type AdminKey = KeptAdminKey | { readonly form: 'elsewhere' | 'given'; readonly record: AdminRecord }

export interface KeptAdminKey {
  readonly form: 'kept'
  readonly kept: KeptSecret
}

/** Whom a server takes for its administrator, and whose service account tokens it takes. */
export interface ServerIdentity {
  readonly admin: AdminKey
  /** Of a platform: what is known of the administrator's key at the moment. */
  currentAdmin(): AdminRecord | undefined
  readonly tokens: StaticTokens
  readonly signer: TokenSigner
  verifyingKeys(): readonly VerifyingKey[]
  /** Another key signs tokens. Tokens of the one before count until they end, or for the overlap. */
  rotateKeys(overlapMs: number | undefined): Promise<void>
  /** Called when another key has become the administrator's. */
  onAdminReplaced(listener: (record: AdminRecord) => void): void
  stop(): Promise<void>
}

export interface LocalIdentity extends ServerIdentity {
  readonly admin: KeptAdminKey
}

export interface LocalIdentityOptions {
  readonly directory: string
  /** Distinguishes the servers of one directory. */
  readonly name: string
  /** Users besides the administrator. */
  readonly tokens?: readonly StaticToken[]
  /** Through which replicas tell each other by which keys tokens of service accounts are checked. Absent: there is one. */
  readonly among?: { readonly store: Store; readonly log: Log }
  /** Signs tokens of service accounts if there is no key yet. Absent: one is made then. */
  readonly newSigningKey?: NewSigningKey | undefined
}

/** What is in the data directory of a server. */
export async function localIdentity(options: LocalIdentityOptions): Promise<LocalIdentity> {
  const { directory, name, tokens = [], among, newSigningKey } = options
  const kept = await adminToken(directory, systemRandom)
  const keyring = await ServiceAccountKeyring.open(signingKeysIn(directory, name), systemClock, newSigningKey)
  const { stop, ...tokenParts } = among === undefined ? alone(keyring) : await amongReplicas(keyring, among)
  return {
    admin: { form: 'kept', kept },
    currentAdmin: () => undefined,
    tokens: createStaticTokenAuthenticator([{ token: kept.value, ...adminUser }, ...tokens]),
    ...tokenParts,
    onAdminReplaced: () => {},
    stop,
  }
}

type StoppedTokenParts = TokenParts & Pick<ServerIdentity, 'stop'>

function alone(keyring: ServiceAccountKeyring): StoppedTokenParts {
  return { ...tokensOf(keyring), stop: async () => {} }
}

/** Each signs with a key of its own. Those before it may be known to no other yet: it may have been alone then. */
async function amongReplicas(
  keyring: ServiceAccountKeyring,
  { store, log }: { readonly store: Store; readonly log: Log },
): Promise<StoppedTokenParts> {
  await publishKey(store, keyring.signing.verifying)
  for (const { key, endsAtMs } of keyring.retired) await publishKey(store, key, endsAtMs)
  const agreed = new AgreedIdentity(store, { log, clock: systemClock })
  await agreed.start()
  return { ...sharedTokensOf(keyring, agreed, store), stop: () => agreed.stop() }
}

export interface PlatformIdentityOptions {
  readonly directory: string
  readonly log: Log
  /** Which key is the administrator's, as the operator has decided. Absent: one is made, and its value is kept here. */
  readonly admin?: AdminRecord | undefined
}

/**
 * Of a platform: what all its replicas have agreed on in their store. Its administrator has an access key, so that no token
 * is fixed at the start.
 */
export async function platformIdentity(store: Store, options: PlatformIdentityOptions): Promise<ServerIdentity> {
  const { directory, log, admin: given } = options
  const keyring = await ServiceAccountKeyring.open(join(directory, 'pki', 'platform'), systemClock)
  await takeReset(store, directory, log)
  const admin = given === undefined ? await agreedAdmin(store, directory) : await agreedOnGiven(store, given)
  if (!store.soleWriter) await publishKey(store, keyring.signing.verifying)
  const agreed = new AgreedIdentity(store, { log, clock: systemClock })
  await agreed.start()
  const endResets = followResets(store, directory, log)
  return {
    admin,
    currentAdmin: () => agreed.admin,
    tokens: createStaticTokenAuthenticator([]),
    ...(store.soleWriter ? tokensOf(keyring) : sharedTokensOf(keyring, agreed, store)),
    onAdminReplaced: (listener) => agreed.onAdminReplaced(listener),
    stop: async () => {
      await endResets()
      await agreed.stop()
    },
  }
}

type TokenParts = Pick<ServerIdentity, 'signer' | 'verifyingKeys' | 'rotateKeys'>

function tokensOf(keyring: ServiceAccountKeyring): TokenParts {
  return {
    signer: keyring,
    verifyingKeys: () => keyring.verifying(),
    rotateKeys: async (overlapMs) => {
      await keyring.rotate({ overlapMs })
    },
  }
}

/** Replicas that have not heard of the store for longer take no credentials. */
const heardOfMs = 5_000

/** All replicas know a key before one of them signs with it. */
function sharedTokensOf(keyring: ServiceAccountKeyring, agreed: AgreedIdentity, store: Store): TokenParts {
  const { signal } = new AbortController()
  const announce = async (key: VerifyingKey) => {
    await publishKey(store, key)
    await rest(heardOfMs, signal)
  }
  return {
    signer: keyring,
    verifyingKeys: () => agreed.verifyingKeys,
    rotateKeys: async (overlapMs) => {
      const before = await keyring.rotate({ overlapMs, announce })
      for (const { key, endsAtMs } of before) await publishKey(store, key, endsAtMs)
    },
  }
}

/** Of a server beside the platform, which has the same administrator. */
export async function hostIdentity(
  directory: string,
  { admin, administrator }: { readonly admin: AdminKey; readonly administrator: Authenticator },
): Promise<ServerIdentity> {
  const keyring = await ServiceAccountKeyring.open(join(directory, 'pki', 'host'), systemClock)
  return {
    admin,
    currentAdmin: () => undefined,
    tokens: { authenticateToken: administrator.authenticateToken, holderOf: () => undefined },
    ...tokensOf(keyring),
    onAdminReplaced: () => {},
    stop: async () => {},
  }
}

/** A key that was made later, at the store, stays. */
async function agreedOnGiven(store: Store, given: AdminRecord): Promise<AdminKey> {
  const record = await agreeOnNewerAdmin(store, given)
  return { form: record.hash === given.hash ? 'given' : 'elsewhere', record }
}

/** The key of the replica that came first. One that was made for nothing does not stay, and none is made in place of one that is lost. */
async function agreedAdmin(store: Store, directory: string): Promise<AdminKey> {
  const known = await store.get(adminRecordKey)
  const found = known && readAdminRecord(known.value)
  if (found !== undefined) return keptOrElsewhere(found, foundSecret(adminKeyFile(directory)))
  const kept = await adminKey(directory, systemRandom)
  const record = await agreeOnAdmin(store, adminRecordOf(kept.value, kept.file))
  const admin = keptOrElsewhere(record, kept)
  if (admin.form === 'elsewhere' && kept.isNew) rmSync(kept.file, { force: true })
  return admin
}

function keptOrElsewhere(record: AdminRecord, kept: KeptSecret | undefined): AdminKey {
  return kept !== undefined && record.hash === tokenHash(kept.value)
    ? { form: 'kept', kept }
    : { form: 'elsewhere', record }
}

/** Where the value is, for an operator who looks for it here. */
export function elsewhereText({ madeBy, madeAtMs }: AdminRecord): string {
  const where = `the administrator's key of this platform was made on ${timestamp(madeAtMs)} and is kept in ${madeBy}`
  return `${where}; its value is not known here. If it is lost, make a new one: tenant platform admin reset`
}

export function adminRecordOf(value: string, file: string): AdminRecord {
  return {
    hash: tokenHash(value),
    keyId: publicIdOf(value),
    madeBy: `${hostname()}:${file}`,
    madeAtMs: systemClock.now(),
  }
}

export function shownOnce({ file, value }: Pick<KeptSecret, 'file' | 'value'>): string {
  return `admin key (shown once, kept in ${file}): ${value}\n`
}
