import { ApiError } from '../../api/error.ts'
import { defaultProject } from '../../api/management/default-project.ts'
import { type ApiClient, createApiClient } from '../../client/command/api-client.ts'
import { createHttpClient } from '../../client/command/http-client.ts'
import type { ServerEndpoint } from '../../client/connection/connect.ts'
import type { PlatformKey } from '../platform-key/contract.ts'
import { leadToSamePlace } from '../platform-key/same-place.ts'
import type { LinkProblem, TenantLinkOptions } from './contract.ts'
import { type Registered, register, type WantedRegistration } from './register.ts'

/** The platform's name for the virtual cluster, and the proof that it is that one. */
export interface KnownAs extends Omit<Registered, 'newProof'> {
  /** Absent if the platform issues none. */
  readonly proof: string | undefined
}

type RegistrationOptions = Pick<TenantLinkOptions, 'identity' | 'proofs' | 'log' | 'onLicense'>

const limits = { answerTimeoutMs: 15_000, maxAnswerBytes: 1024 * 1024 }

/** After these problems, the platform still knows the virtual cluster. */
const away: ReadonlySet<LinkProblem['reason']> = new Set(['ConnectionLost', 'PlatformUnavailable', 'Unreachable'])

/**
 * The registration of a virtual cluster. Once it has led to a link, the process links again without registering:
 * returning then takes one connection and one request.
 */
export class Registration {
  readonly #options: RegistrationOptions
  #kept: { readonly key: PlatformKey; readonly knownAs: KnownAs } | undefined

  constructor(options: RegistrationOptions) {
    this.#options = options
  }

  /** The registration of the last link with such a key. */
  kept(key: PlatformKey): KnownAs | undefined {
    return this.#kept !== undefined && leadToSamePlace(this.#kept.key, key) ? this.#kept.knownAs : undefined
  }

  keep(key: PlatformKey, knownAs: KnownAs): void {
    this.#kept = { key, knownAs }
  }

  forget(): void {
    this.#kept = undefined
  }

  /** Call after a link has ended, or could not be opened. */
  ended({ reason }: LinkProblem): void {
    if (!away.has(reason)) this.forget()
  }

  async ask(key: PlatformKey, endpoint: ServerEndpoint, userAgent: string): Promise<KnownAs> {
    const { identity, log, onLicense } = this.#options
    const http = createHttpClient(endpoint, limits)
    const client = createApiClient({ http, token: key.accessKey, userAgent, onWarning: (text) => log.warn(text) })
    const wanted = {
      project: key.project ?? identity.project ?? defaultProject,
      name: key.name ?? identity.name,
      instanceUid: identity.known?.url === key.url ? identity.known.uid : undefined,
    }
    const knownAs = await this.#register(client, wanted).finally(() => client.close())
    if (knownAs.license !== undefined) onLicense?.(knownAs.license)
    return knownAs
  }

  /** A new proof is stored before it is used, so that the next attempt has it whatever fails now. */
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

/** Whether the platform no longer knows the virtual cluster as before, so that it must register again. */
export function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 403 || error.code === 404 || error.code === 409)
}
