import { ApiError } from '../../api/error.ts'
import { defaultProject } from '../../api/management/default-project.ts'
import { type ApiClient, createApiClient } from '../../client/command/api-client.ts'
import { createHttpClient } from '../../client/command/http-client.ts'
import type { ServerEndpoint } from '../../client/connection/connect.ts'
import type { PlatformKey } from '../platform-key/contract.ts'
import { leadToSamePlace } from '../platform-key/same-place.ts'
import type { LinkProblem, TenantLinkOptions } from './contract.ts'
import { type Registered, register, type WantedRegistration } from './register.ts'

/** As what the platform knows the virtual cluster, and what shows that it is that one. */
export interface KnownAs extends Omit<Registered, 'newProof'> {
  /** Absent where the platform issues none. */
  readonly proof: string | undefined
}

type RegistrationOptions = Pick<TenantLinkOptions, 'identity' | 'proofs' | 'log' | 'onLicense'>

const limits = { answerTimeoutMs: 15_000, maxAnswerBytes: 1024 * 1024 }

/** After these the platform knows the virtual cluster as it did before. */
const away: ReadonlySet<LinkProblem['reason']> = new Set(['ConnectionLost', 'PlatformUnavailable', 'Unreachable'])

/**
 * The registration of a virtual cluster. Once it has led to a link, the process links itself anew without another: a link that comes
 * back is one connection and one request.
 */
export class Registration {
  readonly #options: RegistrationOptions
  #kept: { readonly key: PlatformKey; readonly knownAs: KnownAs } | undefined

  constructor(options: RegistrationOptions) {
    this.#options = options
  }

  /** What it was known as when it was last linked with such a key. */
  kept(key: PlatformKey): KnownAs | undefined {
    return this.#kept !== undefined && leadToSamePlace(this.#kept.key, key) ? this.#kept.knownAs : undefined
  }

  keep(key: PlatformKey, knownAs: KnownAs): void {
    this.#kept = { key, knownAs }
  }

  forget(): void {
    this.#kept = undefined
  }

  /** After a link has ended, or could not be opened. */
  ended({ reason }: LinkProblem): void {
    if (!away.has(reason)) this.forget()
  }

  async ask(key: PlatformKey, endpoint: ServerEndpoint, userAgent: string): Promise<KnownAs> {
    const { identity, log, onLicense } = this.#options
    const http = createHttpClient(endpoint, limits)
    const client = createApiClient({ http, token: key.accessKey, userAgent, onWarning: (text) => log.warn(text) })
    const wanted = { project: key.project ?? identity.project ?? defaultProject, name: key.name ?? identity.name }
    const knownAs = await this.#register(client, wanted).finally(() => client.close())
    if (knownAs.license !== undefined) onLicense?.(knownAs.license)
    return knownAs
  }

  /** A new proof is kept before it is used: whatever ends now, the next attempt has it. */
  async #register(client: ApiClient, wanted: WantedRegistration): Promise<KnownAs> {
    const { identity, proofs } = this.#options
    const kept = await proofs.read()
    const isOfProject = kept?.project === wanted.project || kept?.project === ''
    const known = isOfProject ? { proof: kept.proof } : {}
    const { newProof, ...registered } = await register(client, identity, { ...wanted, ...known })
    if (newProof === undefined) return { ...registered, proof: known.proof }
    const { project, name } = registered
    const { proof } = await proofs.keep({ project, name, proof: newProof })
    return { ...registered, proof }
  }
}

/** The platform knows the virtual cluster no longer as it did: it takes another registration. */
export function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 403 || error.code === 404 || error.code === 409)
}
