import { isRefusal } from '../../api/error.ts'
import type { Secret } from '../../api/types/core-v1.ts'
import type { TokenIssuer } from '../../auth/service-account-issuer.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { RootCertificate } from '../../registry/controllers/namespace-defaults.ts'
import type { ObjectId, StoredDocument } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import { controllerLoop, requeueAfter } from '../run/controller-loop.ts'
import { ControllerWriter } from '../run/writer.ts'
import { accountIn, belongsTo, filledSecret, needsToken, tokenLifeSeconds, tokenSecretType } from './plan.ts'

const controller = 'tokens-controller'

export interface TokenSecretsOptions {
  readonly secrets: ResourceContext
  readonly serviceAccounts: ResourceContext
  readonly rootCertificate: RootCertificate
  readonly issueToken: TokenIssuer
  /** The issuer and audience of tokens. */
  readonly issuer: string
  readonly report: ReportError
}

/** Puts tokens into the Secrets that ask for one, and deletes those whose account is gone. */
export class TokenSecrets implements Controller {
  readonly #options: TokenSecretsOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  /** The names of each account's Secrets. */
  readonly #secretsOf = new Map<string, Set<string>>()

  constructor(options: TokenSecretsOptions) {
    this.#options = options
    const { secrets, serviceAccounts, report } = options
    this.#loop = controllerLoop({ controller, engine: secrets.engine, reconcile: (id) => this.#reconcile(id), report })
    // Replicas may act at the same time: a Secret filled by one of them is left alone by the others.
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite: () => true })
    this.#loop.follow(
      secrets.cache.listen((changes) => {
        for (const { type, document } of changes) this.#secretChanged(document, type === 'DELETED')
      }),
      serviceAccounts.cache.listen((changes) => {
        for (const { document } of changes) for (const key of this.#keysOf(document)) this.#loop.add(key)
      }),
    )
    for (const document of secrets.cache.current().values()) this.#secretChanged(document, false)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #keysOf(account: ObjectId): readonly string[] {
    return [...(this.#secretsOf.get(relativeKey(account)) ?? [])]
  }

  /** Parsed only if the text suggests it. */
  #secretChanged(document: StoredDocument, isGone: boolean): void {
    if (!document.contains(`"${tokenSecretType}"`)) return
    const name = accountIn(document.object as Secret)
    if (name === '') return
    const account = relativeKey({ namespace: document.namespace, name })
    const names = this.#secretsOf.get(account) ?? new Set<string>()
    if (isGone) names.delete(relativeKey(document))
    else names.add(relativeKey(document))
    if (names.size === 0) this.#secretsOf.delete(account)
    else this.#secretsOf.set(account, names)
    if (!isGone) this.#loop.add(relativeKey(document))
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const { secrets, serviceAccounts, rootCertificate, issuer } = this.#options
    const secret = secrets.cache.get(id)?.object as Secret | undefined
    const name = secret === undefined ? '' : accountIn(secret)
    if (secret === undefined || name === '' || secret.metadata.deletionTimestamp !== undefined) return
    const account = serviceAccounts.cache.get({ namespace: id.namespace, name })?.object
    if (account === undefined || !belongsTo(secret, account)) return this.#remove(id, secret)
    const nowMs = secrets.engine.clock.now()
    const accountUid = account.metadata.uid ?? ''
    const token = needsToken(secret, issuer, nowMs) ? await this.#tokenFor(id, secret, name, accountUid) : undefined
    const fill = { accountUid, rootCertificate: rootCertificate.current(), token }
    const filled = filledSecret(secret, fill)
    if (filled !== undefined) await this.#writer.replace(secrets, secret, filled)
    requeueAfter(this.#loop, relativeKey(id), (tokenLifeSeconds / 2) * 1000)
  }

  async #tokenFor({ namespace, name }: ObjectId, secret: Secret, account: string, uid: string): Promise<string> {
    const { issueToken, issuer } = this.#options
    const boundTo = [{ kind: 'Secret', name, uid: secret.metadata.uid ?? '' } as const]
    const grant = { namespace, serviceAccount: { name: account, uid }, audiences: [issuer], boundTo }
    return (await issueToken({ ...grant, expirationSeconds: tokenLifeSeconds })).token
  }

  async #remove(id: ObjectId, { metadata }: Secret): Promise<void> {
    try {
      await this.#writer.delete(this.#options.secrets, { ...id, uid: metadata.uid ?? '' })
    } catch (error) {
      if (!isRefusal(error, 404, 409)) throw error
    }
  }
}
