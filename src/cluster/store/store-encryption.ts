import { readFile } from 'node:fs/promises'
import type { Log } from '../../base/log.ts'
import { rest } from '../../base/pause.ts'
import { UsageError } from '../../base/usage-error.ts'
import { isConfidentialObject } from '../../registry/confidential.ts'
import { signOnRoot } from '../../sign-on/stored/store-root.ts'
import type { Store } from '../../storage/contract.ts'
import { type EncryptionKeys, noEncryptionKeys } from '../../storage/encryption/contract.ts'
import { encryptedStore } from '../../storage/encryption/encrypted-store.ts'
import { readEncryptionKeys } from '../../storage/encryption/key-file.ts'
import { openKmsKey } from '../../storage/encryption/kms/kms-key.ts'
import { type RewriteProgress, rewriteValues } from '../../storage/encryption/rewrite.ts'
import { ValueCipher } from '../../storage/encryption/value-cipher.ts'

/** Files that Kubernetes creates from Secrets change while a server runs. */
const lookMs = 30_000
const retryMs = 10_000
const largestFile = 64 * 1024

export interface StoreEncryptionOptions {
  /** Absent: values are written in plain form, and encrypted ones cannot be read. */
  readonly keyFile?: string | undefined
  readonly log: Log
  /** How often the file is checked. */
  readonly lookEveryMs?: number
}

/** A store whose confidential values are encrypted, with the keys of a file that may change while the server runs. */
export class StoreEncryption {
  readonly store: Store
  readonly #raw: Store
  readonly #cipher: ValueCipher
  readonly #options: StoreEncryptionOptions
  readonly #stop = new AbortController()
  #text: string
  #progress: RewriteProgress = { stale: 0, rewritten: 0 }
  #working: Promise<void> = Promise.resolve()

  private constructor(raw: Store, cipher: ValueCipher, text: string, options: StoreEncryptionOptions) {
    this.store = encryptedStore(raw, cipher)
    this.#raw = raw
    this.#cipher = cipher
    this.#text = text
    this.#options = options
  }

  /** Throws an error that describes the problem with the file. */
  static async open(raw: Store, options: StoreEncryptionOptions): Promise<StoreEncryption> {
    const { keyFile } = options
    const text = keyFile === undefined ? '' : await readText(keyFile)
    const cipher = await ValueCipher.open(keysIn(text, keyFile), isConfidential)
    return new StoreEncryption(raw, cipher, text, options)
  }

  /** Begins to rewrite values that were written differently, and to check the file for changes. */
  start(): void {
    if (this.#options.keyFile !== undefined) this.#working = this.#work(this.#options.keyFile)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#working
    this.#cipher.close()
  }

  metrics(): string {
    const { stale, rewritten } = this.#progress
    return [
      '# HELP tenant_encryption_stale_values Confidential values in the store that are not written with the current key yet.',
      '# TYPE tenant_encryption_stale_values gauge',
      `tenant_encryption_stale_values ${stale}`,
      '# HELP tenant_encryption_rewritten_values_total Confidential values written anew with the current key.',
      '# TYPE tenant_encryption_rewritten_values_total counter',
      `tenant_encryption_rewritten_values_total ${rewritten}`,
      '',
    ].join('\n')
  }

  async #work(keyFile: string): Promise<void> {
    const { signal } = this.#stop
    const { lookEveryMs = lookMs } = this.#options
    let isDue = true
    while (!signal.aborted) {
      isDue = (await this.#takeNewKeys(keyFile)) || (await this.#takeNewVersion()) || isDue
      if (isDue) isDue = !(await this.#rewrite())
      await rest(isDue ? Math.min(retryMs, lookEveryMs) : lookEveryMs, signal)
    }
  }

  /** Whether the keys have changed. If the file cannot be used, they stay unchanged. */
  async #takeNewKeys(keyFile: string): Promise<boolean> {
    const { log } = this.#options
    try {
      const text = await readText(keyFile)
      if (text === this.#text) return false
      const keys = keysIn(text, keyFile)
      await this.#cipher.use(keys)
      this.#text = text
      log.info('the encryption keys have changed', { writing: keys.writing?.name ?? 'identity' })
      return true
    } catch (error) {
      if (!this.#stop.signal.aborted)
        log.error('the file with the encryption keys cannot be used; the keys stay as they were', { error })
      return false
    }
  }

  /** Whether the KMS plugin has a new version of the key. If it cannot be asked, the data key stays in use. */
  async #takeNewVersion(): Promise<boolean> {
    const { log } = this.#options
    try {
      if (!(await this.#cipher.isOutdated())) return false
      await this.#cipher.renew()
      log.info('the encryption key has a new version')
      return true
    } catch (error) {
      if (!this.#stop.signal.aborted)
        log.error('the encryption key cannot be checked for a new version; it stays in use', { error })
      return false
    }
  }

  /** Whether everything was rewritten. */
  async #rewrite(): Promise<boolean> {
    const { log } = this.#options
    const { signal } = this.#stop
    const before = this.#progress.rewritten
    const onProgress = ({ stale, rewritten }: RewriteProgress) => {
      this.#progress = { stale, rewritten: before + rewritten }
    }
    try {
      await rewriteValues({ store: this.#raw, cipher: this.#cipher, signal, onProgress })
      const rewritten = this.#progress.rewritten - before
      if (rewritten > 0) log.info('all confidential values are written with the current key', { rewritten })
      return true
    } catch (error) {
      if (!signal.aborted) log.warn('not all confidential values could be rewritten; retrying', { error })
      return false
    }
  }
}

function isConfidential(storageKey: string, value: Uint8Array): boolean {
  return isConfidentialObject(storageKey, value) || storageKey.startsWith(signOnRoot)
}

function keysIn(text: string, keyFile: string | undefined): EncryptionKeys {
  return keyFile === undefined ? noEncryptionKeys : readEncryptionKeys(text, keyFile, openKmsKey)
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new UsageError(`the encryption keys cannot be read: ${error.message}`)
  })
  if (bytes.length > largestFile) throw new UsageError(`${file} is too large for encryption keys`)
  return bytes.toString('utf8')
}
