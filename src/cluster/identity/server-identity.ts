import { rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Authenticator } from '../../auth/contract.ts'
import { publicIdOf } from '../../auth/keys/values/key-value.ts'
import type { TokenSigner } from '../../auth/service-account-issuer.ts'
import {
  createStaticTokenAuthenticator,
  type StaticToken,
  type StaticTokens,
  tokenHash,
} from '../../auth/static-tokens.ts'
import { systemClock, timestamp } from '../../base/clock.ts'
import type { VerifyingKey } from '../../base/keys/keypair.ts'
import type { Log } from '../../base/log.ts'
import { rest } from '../../base/pause.ts'
import { systemRandom } from '../../base/random.ts'
import {
  type AdminRecord,
  adminRecordKey,
  agreeOnAdmin,
  agreeOnNewerAdmin,
  readAdminRecord,
} from '../../platform/identity/admin-record.ts'
import { AgreedIdentity } from '../../platform/identity/agreed-identity.ts'
import { publishKey } from '../../platform/identity/published-keys.ts'
import type { Store } from '../../storage/contract.ts'
import { followResets, takeReset } from './admin-reset.ts'
import { adminKey, adminKeyFile, adminToken, adminUser, foundSecret, type KeptSecret } from './kept-secret.ts'
import { type NewSigningKey, signingKeysIn } from './new-signing-key.ts'
import { ServiceAccountKeyring } from './service-account-keyring.ts'

/** The administrator's key, if its value is kept here, or where it is. Absent for a key that the operator gave. */
export type AdminKey = KeptAdminKey | { readonly form: 'elsewhere' | 'given'; readonly record: AdminRecord }

export interface KeptAdminKey {
  readonly form: 'kept'
  readonly kept: KeptSecret
}

/** The administrator of a server, and the service account tokens that it accepts. */
export interface ServerIdentity {
  readonly admin: AdminKey
  /** For a platform: the current record of the administrator's key. */
  currentAdmin(): AdminRecord | undefined
  readonly tokens: StaticTokens
  readonly signer: TokenSigner
  verifyingKeys(): readonly VerifyingKey[]
  /** Signs tokens with another key. Tokens of the previous key stay valid until they end, or for the overlap. */
  rotateKeys(overlapMs: number | undefined): Promise<void>
  /** Signs tokens with the key that another process has left in the directory. Returns whether there is one. */
  rereadKeys(): boolean
  /** Called when another key becomes the administrator's key. */
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
  /** Where replicas share the keys that verify service account tokens. Absent: there is one replica. */
  readonly among?: { readonly store: Store; readonly log: Log }
  /** The key for service account tokens if there is none yet. Absent: one is made. */
  readonly newSigningKey?: NewSigningKey | undefined
}

/** The identity in the data directory of a server. */
export async function localIdentity(options: LocalIdentityOptions): Promise<LocalIdentity> {
  const { directory, name, tokens = [], among, newSigningKey } = options
  const kept = await adminToken(directory, systemRandom)
  const keyring = await ServiceAccountKeyring.open(signingKeysIn(directory, name), systemClock, {
    newKey: newSigningKey,
    isShared: among !== undefined,
  })
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

/**
 * Each replica signs with its own key. Other replicas may not know its earlier keys, because it may have been alone
 * then.
 */
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
  /** The administrator's key that the operator chose. Absent: one is made, and its value is kept here. */
  readonly admin?: AdminRecord | undefined
}

/**
 * For a platform: the identity that all replicas agreed on in their store. Its administrator has an access key, so
 * there is no fixed token.
 */
export async function platformIdentity(store: Store, options: PlatformIdentityOptions): Promise<ServerIdentity> {
  const { directory, log, admin: given } = options
  const keyring = await ServiceAccountKeyring.open(join(directory, 'pki', 'platform'), systemClock, {
    isShared: !store.soleWriter,
  })
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

type TokenParts = Pick<ServerIdentity, 'signer' | 'verifyingKeys' | 'rotateKeys' | 'rereadKeys'>

function tokensOf(keyring: ServiceAccountKeyring): TokenParts {
  return {
    signer: keyring,
    verifyingKeys: () => keyring.verifying(),
    rotateKeys: async (overlapMs) => {
      await keyring.rotate({ overlapMs })
    },
    rereadKeys: () => keyring.reread(),
  }
}

/** Replicas that have not heard from the store for longer accept no credentials. */
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
    rereadKeys: () => keyring.reread(),
  }
}

/** For a server beside the platform with the same administrator. */
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

/** A key that was made later, in the store, stays. */
async function agreedOnGiven(store: Store, given: AdminRecord): Promise<AdminKey> {
  const record = await agreeOnNewerAdmin(store, given)
  return { form: record.hash === given.hash ? 'given' : 'elsewhere', record }
}

/** The key of the first replica. A key that turns out not to be needed is removed, and a lost one is not replaced. */
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

/** Where the value is kept, for an operator who looks for it here. */
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
