import { systemRandom } from '../../base/random.ts'
import { StoreDamaged } from '../contract.ts'
import { EncryptionKeyMissing, type EncryptionKeys, type IsConfidential, type WrappingKey } from './contract.ts'
import {
  dataKeyBytes,
  decryptValue,
  type EncryptedValue,
  encryptValue,
  isEncrypted,
  parseEncrypted,
  printHeader,
  type WrappedKey,
} from './encrypted-value.ts'

/** Far below the 2^32 values for which one key with random nonces is safe. */
const mostUses = 2 ** 24
interface WritingKey extends WrappedKey {
  readonly header: Buffer
  readonly dataKey: Buffer
  uses: number
}

/** Encrypts values on their way to a store and decrypts them on their way back, with the current keys. */
export class ValueCipher {
  readonly #isConfidential: IsConfidential
  /**
   * Unwrapped data keys. Each start of a server adds one. None made by a stranger is among them, since it could not be
   * unwrapped.
   */
  readonly #dataKeys = new Map<string, Buffer>()
  #keys: EncryptionKeys
  #writing: WritingKey | undefined
  #renewing: Promise<void> | undefined

  private constructor(keys: EncryptionKeys, isConfidential: IsConfidential) {
    this.#keys = keys
    this.#isConfidential = isConfidential
  }

  static async open(keys: EncryptionKeys, isConfidential: IsConfidential): Promise<ValueCipher> {
    const cipher = new ValueCipher(keys, isConfidential)
    await cipher.use(keys)
    return cipher
  }

  /** Switches to these keys. Values written before stay readable if these keys can decrypt them. */
  async use(keys: EncryptionKeys): Promise<void> {
    this.#writing = keys.writing === undefined ? undefined : await this.#newDataKey(keys.writing)
    const before = this.#keys
    this.#keys = keys
    if (before !== keys) closeKeys(before)
  }

  /** Whether the wrapping key has a newer version than the one in use. */
  async isOutdated(): Promise<boolean> {
    const key = this.#keys.writing
    const version = await key?.currentVersion?.()
    return key !== undefined && version !== undefined && this.#writing?.name !== versioned(key.name, version)
  }

  /** Creates a new data key, wrapped with the current version of the key. */
  renew(): Promise<void> {
    return this.use(this.#keys)
  }

  close(): void {
    closeKeys(this.#keys)
  }

  encrypt(storageKey: string, value: Uint8Array): Uint8Array {
    const writing = this.#writing
    if (writing === undefined || !this.#isConfidential(storageKey, value)) return value
    writing.uses++
    if (writing.uses === mostUses) this.#renewSoon()
    return encryptValue(storageKey, value, writing.header, writing.dataKey)
  }

  /**
   * Synchronous unless another process must unwrap the data key, which is then cached. The value is not accessed after
   * this returns.
   */
  decrypt(storageKey: string, value: Uint8Array): Uint8Array | Promise<Uint8Array> {
    if (!isEncrypted(value)) return this.#plain(storageKey, value)
    const encrypted = parsed(storageKey, value)
    const dataKey = this.#dataKeyOf(encrypted, storageKey)
    if (!(dataKey instanceof Promise)) return opened(storageKey, encrypted, dataKey)
    const kept = parsed(storageKey, Buffer.from(value))
    return dataKey.then((found) => opened(storageKey, kept, found))
  }

  /** Whether the value would now be written in another way. */
  isStale(storageKey: string, value: Uint8Array): boolean {
    if (isEncrypted(value)) return parseEncrypted(value)?.name !== this.#writing?.name
    return this.#writing !== undefined && this.#isConfidential(storageKey, value)
  }

  #plain(storageKey: string, value: Uint8Array): Uint8Array {
    const { allowsPlain, source } = this.#keys
    if (allowsPlain || !this.#isConfidential(storageKey, value)) return value
    throw new EncryptionKeyMissing(
      `${storageKey} is not encrypted, and ${source} does not allow that; if the store was not encrypted before, add a line with the word identity at the end`,
    )
  }

  #dataKeyOf(encrypted: EncryptedValue, storageKey: string): Buffer | Promise<Buffer> {
    const id = idOf(encrypted)
    const known = this.#dataKeys.get(id)
    if (known !== undefined) return known
    const found = unwrapped(this.#wrappingKeyOf(encrypted, storageKey), encrypted, this.#keys.source)
    return found instanceof Promise ? found.then((dataKey) => this.#remember(id, dataKey)) : this.#remember(id, found)
  }

  #wrappingKeyOf({ name }: EncryptedValue, storageKey: string): WrappingKey {
    const { reading, source } = this.#keys
    const found = reading.find((key) => key.name === withoutVersion(name))
    if (found !== undefined) return found
    const what = `${storageKey} is encrypted with the key ${withoutVersion(name)}`
    throw new EncryptionKeyMissing(
      source === ''
        ? `${what}, and no keys are given: start the server with --encryption-keys FILE`
        : `${what}, which the file ${source} does not hold: add it there, after the first one; nothing is lost`,
    )
  }

  #remember(id: string, dataKey: Buffer): Buffer {
    this.#dataKeys.set(id, dataKey)
    return dataKey
  }

  async #newDataKey(key: WrappingKey): Promise<WritingKey> {
    const dataKey = Buffer.from(systemRandom.bytes(dataKeyBytes))
    const { wrapped, version } = await key.wrap(dataKey)
    const name = versioned(key.name, version)
    this.#remember(idOf({ name, wrapped }), dataKey)
    return { name, wrapped, header: printHeader({ name, wrapped }), dataKey, uses: 0 }
  }

  /**
   * The current data key can encrypt many more values, so writes do not wait. If the renewal fails, the next value
   * tries again.
   */
  #renewSoon(): void {
    this.#renewing ??= this.renew()
      .catch(() => {
        if (this.#writing !== undefined) this.#writing.uses = mostUses - 1
      })
      .finally(() => {
        this.#renewing = undefined
      })
  }
}

/** The name as stored before values. Names of keys cannot contain `#`. */
function versioned(name: string, version: string | undefined): string {
  return version === undefined ? name : `${name}#${version}`
}

function withoutVersion(name: string): string {
  return name.split('#')[0] ?? ''
}

function closeKeys({ reading }: EncryptionKeys): void {
  for (const key of reading) key.close?.()
}

function idOf({ name, wrapped }: WrappedKey): string {
  return `${name}:${wrapped.toString('latin1')}`
}

function unwrapped(key: WrappingKey, { wrapped }: EncryptedValue, source: string): Buffer | Promise<Buffer> {
  const fail = (cause: unknown): never => {
    if (cause instanceof EncryptionKeyMissing) throw cause
    throw new EncryptionKeyMissing(
      `the key ${key.name} of ${source} is not the one of that name with which this store was encrypted: put that one there; nothing is lost`,
      { cause },
    )
  }
  try {
    const found = key.unwrap(Buffer.from(wrapped))
    return found instanceof Promise ? found.catch(fail) : found
  } catch (error) {
    return fail(error)
  }
}

function parsed(storageKey: string, value: Uint8Array): EncryptedValue {
  const encrypted = parseEncrypted(value)
  if (encrypted === undefined) throw damaged(storageKey)
  return encrypted
}

function opened(storageKey: string, encrypted: EncryptedValue, dataKey: Buffer): Buffer {
  try {
    return decryptValue(storageKey, encrypted, dataKey)
  } catch (error) {
    throw damaged(storageKey, error)
  }
}

function damaged(storageKey: string, cause?: unknown): StoreDamaged {
  return new StoreDamaged(`the value at ${storageKey} was not encrypted for that key`, { cause })
}
