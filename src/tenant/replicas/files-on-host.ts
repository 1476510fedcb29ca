import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { CommonFiles } from '../../base/certificates/common-files.ts'
import { errorText } from '../../base/error-text.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { writeWhole } from '../../base/files/write-whole.ts'
import type { Log } from '../../base/log.ts'
import { pause } from '../../base/pause.ts'
import { secretType } from '../../client/builtin-types.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { TenantPlace } from '../../sync/names/names.ts'
import {
  type CommonTexts,
  commonEntries,
  commonFiles,
  commonSecret,
  commonSecretName,
  commonTextsIn,
  followedOrder,
  lastChangeOf,
} from './common-secret.ts'

export interface FilesOnHostOptions {
  readonly host: Pick<KubeClient, 'get' | 'create' | 'update'>
  readonly identity: TenantPlace
  readonly directory: string
  /** Whether several processes run at the same time and must agree. */
  readonly isReplicated: boolean
  readonly log: Log
}

type Found = KubeObject | 'absent' | 'unreachable'

const answerMs = 5_000
const retryMs = 1_000
/** How long a replica without files waits for the host. */
const patienceMs = 60_000
/** Limit of attempts; each failed one means that another replica was faster. */
const mostAttempts = 20

/**
 * Keeps the authorities and the administrator's key of a virtual cluster with an etcd store in a Secret on its host, so
 * that all replicas, including later ones, prove their identity with the same keys. Files in the data directory are
 * copies, with which a replica starts while the host does not answer.
 */
export class FilesOnHost implements CommonFiles {
  readonly #options: FilesOnHostOptions
  /** One after the other, because each reads and writes the files. */
  #last: Promise<unknown> = Promise.resolve()
  #hasWarned = false

  constructor(options: FilesOnHostOptions) {
    this.#options = options
  }

  around<T>(use: () => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#agreed(use))
  }

  once(id: string, change: () => Promise<void>): Promise<void> {
    return this.#inTurn(() => this.#changed(id, change))
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#last.then(act)
    this.#last = done.catch(() => {})
    return done
  }

  async #agreed<T>(use: () => Promise<T>): Promise<T> {
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      const found = await this.#taken()
      const result = await use()
      if (found === 'unreachable') return result
      const own = this.#own()
      if (found !== 'absent' && isSame(own, commonTextsIn(found))) return result
      if (await this.#give(own, found, undefined)) return result
    }
    throw this.#failure('written', 'other replicas were faster each time')
  }

  async #changed(id: string, change: () => Promise<void>): Promise<void> {
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      const found = await this.#taken()
      if (found === 'unreachable' && this.#options.isReplicated) throw this.#failure('read', 'the host does not answer')
      if (typeof found === 'object' && lastChangeOf(found) === id) return
      await change()
      if (found === 'unreachable' || (await this.#give(this.#own(), found, id))) return
    }
    throw this.#failure('written', 'other replicas were faster each time')
  }

  /** Writes the content of the Secret to the files. */
  async #taken(): Promise<Found> {
    const found = await this.#found()
    if (typeof found !== 'object') return found
    try {
      for (const [entry, text] of commonTextsIn(found)) this.#write(commonFiles[entry], text)
    } catch (error) {
      throw this.#failure('used', errorText(error))
    }
    return found
  }

  async #found(): Promise<Found> {
    for (let waitedMs = 0; ; waitedMs += retryMs) {
      try {
        return await this.#get()
      } catch (error) {
        if (isRefusal(error, 404)) return 'absent'
        if (this.#mayGoOn(error, waitedMs >= patienceMs)) return 'unreachable'
        if (waitedMs >= patienceMs || isRefusal(error, 403)) throw this.#failure('read', errorText(error))
        await pause(retryMs)
      }
    }
  }

  #get(): Promise<KubeObject> {
    const { tenant, hostNamespace: namespace } = this.#options.identity
    const key = { namespace, name: commonSecretName(tenant) }
    return this.#options.host.get(secretType, key, AbortSignal.timeout(answerMs))
  }

  /** False: another replica was faster. */
  async #give(own: CommonTexts, found: KubeObject | 'absent', change: string | undefined): Promise<boolean> {
    const { host, identity } = this.#options
    const before = found === 'absent' ? undefined : found
    const secret = commonSecret(identity, own, { before, change: change ?? (before ? undefined : this.#followed()) })
    try {
      const signal = AbortSignal.timeout(answerMs)
      if (before === undefined) await host.create(secretType, secret, signal)
      else await host.update(secretType, secret, signal)
      return true
    } catch (error) {
      if (isRefusal(error, 409)) return false
      if (!this.#options.isReplicated && this.#mayGoOn(error, true)) return true
      throw this.#failure('written', errorText(error))
    }
  }

  /** Continues with the existing files; a single process also with new ones, if the host had its time. */
  #mayGoOn(error: unknown, isLate: boolean): boolean {
    const { isReplicated, directory, log, identity } = this.#options
    const hasFiles = existsSync(join(directory, commonFiles['ca.crt']))
    if (!hasFiles && (isReplicated || !(isLate || isRefusal(error, 403)))) return false
    const name = commonSecretName(identity.tenant)
    if (!this.#hasWarned) log.warn('certificates and keys are not shared with other replicas', { secret: name, error })
    this.#hasWarned = true
    return true
  }

  #own(): CommonTexts {
    const { directory } = this.#options
    const files = commonEntries().map((entry) => [entry, join(directory, commonFiles[entry])] as const)
    return new Map(
      files.filter(([, file]) => existsSync(file)).map(([entry, file]) => [entry, readFileSync(file, 'utf8')]),
    )
  }

  /** Files from before the Secret may already be the result of an order: a new replica must not follow it again. */
  #followed(): string | undefined {
    const file = join(this.#options.directory, followedOrder)
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  }

  #write(path: string, text: string): void {
    const file = join(this.#options.directory, path)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return
    makeDirectory(dirname(file))
    writeWhole(file, text)
  }

  #failure(what: string, why: string): Error {
    const { tenant, hostNamespace } = this.#options.identity
    const secret = `the Secret ${commonSecretName(tenant)} of namespace ${hostNamespace}`
    return new Error(
      `${secret}, with the certificates and keys that all replicas have, cannot be ${what}: ${why}. tenant create --upgrade gives the tenant the rights it needs`,
    )
  }
}

function isSame(left: CommonTexts, right: CommonTexts): boolean {
  return left.size === right.size && [...left].every(([entry, text]) => right.get(entry) === text)
}
