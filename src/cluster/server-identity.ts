import { rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import {
  createAdminAuthenticator,
  createStaticTokenAuthenticator,
  type StaticToken,
  type StaticTokens,
  tokenHash,
} from '../auth/static-tokens.ts'
import { systemClock, timestamp } from '../base/clock.ts'
import type { SigningKey, VerifyingKey } from '../base/keypair.ts'
import type { Log } from '../base/log.ts'
import { systemRandom } from '../base/random.ts'
import { type AdminRecord, agreeOnAdmin, agreeOnNewerAdmin } from '../platform/identity/admin-record.ts'
import { AgreedIdentity } from '../platform/identity/agreed-identity.ts'
import { publishKey } from '../platform/identity/published-keys.ts'
import type { Store } from '../storage/contract.ts'
import { adminToken, adminUser, type KeptSecret, serviceAccountKeys } from './identity.ts'

/** The administrator's key, if its value is kept here, or where it is. Absent for a key that the operator gave. */
export type AdminKey = KeptAdminKey | { readonly form: 'elsewhere' | 'given'; readonly record: AdminRecord }

export interface KeptAdminKey {
  readonly form: 'kept'
  readonly kept: KeptSecret
}

/** Whom a server takes for its administrator, and whose service account tokens it takes. */
export interface ServerIdentity {
  readonly admin: AdminKey
  readonly tokens: StaticTokens
  readonly signing: SigningKey
  verifyingKeys(): readonly VerifyingKey[]
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
}

/** Of a server that has its store to itself: what is in its data directory. */
export async function localIdentity({ directory, name, tokens = [] }: LocalIdentityOptions): Promise<LocalIdentity> {
  const kept = await adminToken(directory, systemRandom)
  const { signing, verifying } = await serviceAccountKeys(join(directory, 'pki', name))
  return {
    admin: { form: 'kept', kept },
    tokens: createStaticTokenAuthenticator([{ token: kept.value, ...adminUser }, ...tokens]),
    signing,
    verifyingKeys: () => verifying,
    onAdminReplaced: () => {},
    stop: async () => {},
  }
}

export interface PlatformIdentityOptions {
  readonly directory: string
  readonly log: Log
  /** Which key is the administrator's, as the operator has decided. Absent: one is made, and its value is kept here. */
  readonly admin?: AdminRecord | undefined
}

/** Of a platform: what all its replicas have agreed on in the store that they share. */
export async function platformIdentity(store: Store, options: PlatformIdentityOptions): Promise<ServerIdentity> {
  const { directory, log, admin: given } = options
  if (store.soleWriter) {
    return given === undefined ? localIdentity({ directory, name: 'platform' }) : givenIdentity(given, directory)
  }
  const { signing } = await serviceAccountKeys(join(directory, 'pki', 'platform'))
  const admin = given === undefined ? await agreedAdmin(store, directory) : await agreedOnGiven(store, given)
  await publishKey(store, signing.verifying)
  const agreed = new AgreedIdentity(store, log)
  await agreed.start()
  return {
    admin,
    tokens: createAdminAuthenticator(adminUser, () => agreed.admin?.hash),
    signing,
    verifyingKeys: () => agreed.verifyingKeys,
    onAdminReplaced: (listener) => agreed.onAdminReplaced(listener),
    stop: () => agreed.stop(),
  }
}

/** For a platform with a store of its own whose operator gave the administrator's key. */
async function givenIdentity(record: AdminRecord, directory: string): Promise<ServerIdentity> {
  const { signing, verifying } = await serviceAccountKeys(join(directory, 'pki', 'platform'))
  return {
    admin: { form: 'given', record },
    tokens: createAdminAuthenticator(adminUser, () => record.hash),
    signing,
    verifyingKeys: () => verifying,
    onAdminReplaced: () => {},
    stop: async () => {},
  }
}

/** A key that was made later, at the store, stays. */
async function agreedOnGiven(store: Store, given: AdminRecord): Promise<AdminKey> {
  const record = await agreeOnNewerAdmin(store, given)
  return { form: record.hash === given.hash ? 'given' : 'elsewhere', record }
}

/** The key of the replica that came first. One that was made for nothing does not stay. */
async function agreedAdmin(store: Store, directory: string): Promise<AdminKey> {
  const kept = await adminToken(directory, systemRandom)
  const record = await agreeOnAdmin(store, adminRecordOf(kept.value, kept.file))
  if (record.hash === tokenHash(kept.value)) return { form: 'kept', kept }
  if (kept.isNew) rmSync(kept.file, { force: true })
  return { form: 'elsewhere', record }
}

/** Where the value is, for an operator who looks for it here. */
export function elsewhereText({ madeBy, madeAtMs }: AdminRecord): string {
  const where = `the administrator's key of this platform was made on ${timestamp(madeAtMs)} and is kept in ${madeBy}`
  return `${where}; its value is not known here. If it is lost, make a new one: tenant platform reset-admin-key`
}

export function adminRecordOf(value: string, file: string): AdminRecord {
  return { hash: tokenHash(value), madeBy: `${hostname()}:${file}`, madeAtMs: systemClock.now() }
}

export function shownOnce({ file, value }: Pick<KeptSecret, 'file' | 'value'>): string {
  return `admin key (shown once, kept in ${file}): ${value}\n`
}
