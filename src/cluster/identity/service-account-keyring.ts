import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TokenSigner } from '../../auth/service-account-issuer.ts'
import type { Clock } from '../../base/clock.ts'
import { writeWhole } from '../../base/files/write-whole.ts'
import { isJsonObject } from '../../base/json/member.ts'
import {
  generateSigningKeyPem,
  readSigningKey,
  readVerifyingKey,
  type SigningKey,
  type VerifyingKey,
} from '../../base/keys/keypair.ts'
import { keptSecret } from './kept-secret.ts'
import { type NewSigningKey, signingKeyFile } from './new-signing-key.ts'

const day = 24 * 3_600_000
/** The noted end of tokens is written this far ahead, so that few tokens cause a write. */
const aheadMs = 7 * day
/** For tokens that were signed before their ends were noted. */
const unknownEndMs = 365 * day
/** Each is tried when a token names none of them. */
const mostRetiredKeys = 64

/** A key that no longer signs. */
export interface RetiredKey {
  readonly key: VerifyingKey
  readonly endsAtMs: number
}

export interface KeyRotation {
  /** Limits how long tokens of earlier keys stay valid. Absent: until the last of them has ended. */
  readonly overlapMs?: number | undefined
  /** Publishes the new key to other verifiers before a token is signed with it. */
  readonly announce?: (key: VerifyingKey) => Promise<void>
}

export interface KeyringOptions {
  /** A key that is being made, for a directory that has none. Absent: one is made. */
  readonly newKey?: NewSigningKey | undefined
  /** Whether other processes may sign with the key in the directory, too. */
  readonly isShared?: boolean
}

/**
 * The key that signs service account tokens, kept in a directory, and earlier keys, which verify tokens until the last
 * one signed with them has ended. No private key of these is kept.
 */
export class ServiceAccountKeyring implements TokenSigner {
  readonly #directory: string
  readonly #clock: Clock
  readonly #isShared: boolean
  #signing: SigningKey
  #retired: readonly RetiredKey[]
  #verifying: readonly VerifyingKey[] = []
  /** No token that was signed with the key ends later. */
  #lastEndMs: number
  #writtenEndMs: number

  private constructor(directory: string, clock: Clock, pem: string, isShared: boolean) {
    this.#directory = directory
    this.#clock = clock
    this.#isShared = isShared
    this.#signing = readSigningKey(pem)
    this.#retired = readRetired(retiredFile(directory))
    this.#lastEndMs = readEnd(endFile(directory)) ?? clock.now() + unknownEndMs
    this.#writtenEndMs = this.#lastEndMs
  }

  static async open(directory: string, clock: Clock, options: KeyringOptions = {}): Promise<ServiceAccountKeyring> {
    const { newKey, isShared = false } = options
    const kept = await keptSecret(signingKeyFile(directory), () => newKey?.pem ?? generateSigningKeyPem())
    if (kept.isNew) writeWhole(endFile(directory), `${clock.now()}\n`)
    return new ServiceAccountKeyring(directory, clock, kept.value, isShared)
  }

  /** Earlier keys that still verify tokens. */
  get retired(): readonly RetiredKey[] {
    return this.#retired
  }

  get signing(): SigningKey {
    return this.#signing
  }

  /** Returns the same list until it changes. */
  verifying(): readonly VerifyingKey[] {
    const nowMs = this.#clock.now()
    if (this.#verifying.length === 0 || this.#retired.some(({ endsAtMs }) => endsAtMs <= nowMs)) {
      this.#retired = this.#retired.filter(({ endsAtMs }) => endsAtMs > nowMs)
      this.#verifying = [this.#signing.verifying, ...this.#retired.map(({ key }) => key)]
    }
    return this.#verifying
  }

  /** Call before a token is returned. */
  noteToken(expiresAtMs: number): void {
    this.#lastEndMs = Math.max(this.#lastEndMs, expiresAtMs)
    if (expiresAtMs <= this.#writtenEndMs) return
    const endMs = Math.max(expiresAtMs + aheadMs, readEnd(endFile(this.#directory)) ?? 0)
    try {
      writeWhole(endFile(this.#directory), `${endMs}\n`)
      this.#writtenEndMs = endMs
    } catch {
      // The disk may be full. The next token tries again.
    }
  }

  /**
   * Returns all earlier keys with their ends. A crash in between may leave a new key that is published but never used,
   * or a previous one that is listed as retired and still signs: tokens of the previous key stay valid all the time.
   */
  async rotate({ overlapMs = Number.POSITIVE_INFINITY, announce }: KeyRotation): Promise<readonly RetiredKey[]> {
    this.reread()
    const pem = await this.#anotherKey()
    const next = readSigningKey(pem)
    await announce?.(next.verifying)
    const nowMs = this.#clock.now()
    const latestMs = nowMs + overlapMs
    const before = [{ key: this.#signing.verifying, endsAtMs: this.#lastEndOfAll() }, ...this.#retired].map((each) => ({
      ...each,
      endsAtMs: Math.min(each.endsAtMs, latestMs),
    }))
    this.#retired = before.filter(({ endsAtMs }) => endsAtMs > nowMs).slice(0, mostRetiredKeys)
    writeWhole(retiredFile(this.#directory), printRetired(this.#retired))
    writeWhole(signingKeyFile(this.#directory), pem)
    writeWhole(endFile(this.#directory), `${nowMs}\n`)
    this.#signing = next
    this.#lastEndMs = nowMs
    this.#writtenEndMs = nowMs
    this.#verifying = []
    return before
  }

  /** Another process may have signed tokens up to the end that is noted, whichever process has noted it. */
  #lastEndOfAll(): number {
    return this.#isShared ? Math.max(readEnd(endFile(this.#directory)) ?? 0, this.#lastEndMs) : this.#lastEndMs
  }

  /** Uses the keys that another process has left in the directory. Returns whether there are any. */
  reread(): boolean {
    const signing = readSigningKey(readFileSync(signingKeyFile(this.#directory), 'utf8'))
    if (signing.verifying.id === this.#signing.verifying.id) return false
    this.#signing = signing
    this.#retired = readRetired(retiredFile(this.#directory))
    this.#lastEndMs = readEnd(endFile(this.#directory)) ?? this.#lastEndMs
    this.#writtenEndMs = this.#lastEndMs
    this.#verifying = []
    return true
  }

  /**
   * Generates a key of the same algorithm, because external verifiers may know no other. Tokens that end with a key
   * must not become valid again with the next one.
   */
  async #anotherKey(): Promise<string> {
    for (;;) {
      const pem = await generateSigningKeyPem(this.#signing.verifying.algorithm)
      const { id } = readVerifyingKey(pem)
      if (this.verifying().every((key) => key.id !== id)) return pem
    }
  }
}

function retiredFile(directory: string): string {
  return join(directory, 'service-account.retired.json')
}

function endFile(directory: string): string {
  return join(directory, 'service-account.end')
}

function readEnd(file: string): number | undefined {
  const endMs = existsSync(file) ? Number(readFileSync(file, 'utf8')) : Number.NaN
  return Number.isFinite(endMs) ? endMs : undefined
}

function readRetired(file: string): readonly RetiredKey[] {
  if (!existsSync(file)) return []
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return (Array.isArray(parsed) ? parsed : []).flatMap((entry: unknown) => {
    if (!isJsonObject(entry) || typeof entry.key !== 'string' || typeof entry.endsAtMs !== 'number') return []
    return [{ key: readVerifyingKey(entry.key), endsAtMs: entry.endsAtMs }]
  })
}

function printRetired(keys: readonly RetiredKey[]): string {
  const entries = keys.map(({ key: { publicKey }, endsAtMs }) => ({
    key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    endsAtMs,
  }))
  return `${JSON.stringify(entries)}\n`
}
