import { isRefusal } from '../api/error.ts'
import { identityEntries, identitySecretName } from '../api/link.ts'
import type { KubeObject } from '../api/object.ts'
import { errorText } from '../base/error-text.ts'
import { isJsonObject } from '../base/json/member.ts'
import { secretType } from '../client/builtin-types.ts'
import type { KubeClient } from '../client/contract.ts'
import type { TenantPlace } from '../sync/names/names.ts'
import type { KeptProof, ProofKeeper } from './link/contract.ts'
import { LinkFailure } from './link/problem.ts'

type Host = Pick<KubeClient, 'get' | 'create' | 'update'>

/**
 * The Secret on the host in which a virtual cluster keeps its proof, for all of its processes and across restarts. The
 * proof is cached after the first read, so it survives an outage of the host and the removal of the Secret.
 */
export class IdentitySecret implements ProofKeeper {
  readonly #host: Host
  readonly #identity: TenantPlace
  readonly #signal: AbortSignal
  #last: KeptProof | undefined

  constructor(host: Host, identity: TenantPlace, signal: AbortSignal) {
    this.#host = host
    this.#identity = identity
    this.#signal = signal
  }

  async read(): Promise<KeptProof | undefined> {
    const secret = await this.#get().catch((error: unknown) => {
      if (isRefusal(error, 403) || this.#last === undefined) throw this.#failure('read', error)
      return 'unreachable' as const
    })
    if (secret === 'unreachable') return this.#last
    const kept = secret && proofIn(secret)
    if (kept === undefined && this.#last !== undefined) return this.keep(this.#last)
    this.#last = kept
    return kept
  }

  async keep(proof: KeptProof): Promise<KeptProof> {
    const kept = await this.#replace(proof).catch((error: unknown) => {
      throw this.#failure('write', error)
    })
    this.#last = kept
    return kept
  }

  /** The first writer of a proof wins; a change of other entries is no reason to fail. */
  async #replace(proof: KeptProof, attempts = 3): Promise<KeptProof> {
    const before = await this.#get()
    const wanted = identitySecret(this.#identity, proof, before)
    try {
      if (before === undefined) await this.#host.create(secretType, wanted, this.#signal)
      else if (isReplaceable(before, this.#last)) await this.#host.update(secretType, wanted, this.#signal)
      else return proofIn(before) ?? proof
      return proof
    } catch (error) {
      const now = isRefusal(error, 409) ? await this.#get() : undefined
      const other = now && proofIn(now)
      if (other !== undefined) return other
      if (now === undefined || attempts === 1) throw error
      return this.#replace(proof, attempts - 1)
    }
  }

  async #get(): Promise<KubeObject | undefined> {
    const { tenant, hostNamespace: namespace } = this.#identity
    try {
      return await this.#host.get(secretType, { namespace, name: identitySecretName(tenant) }, this.#signal)
    } catch (error) {
      if (isRefusal(error, 404)) return undefined
      throw error
    }
  }

  #failure(what: 'read' | 'write', error: unknown): LinkFailure {
    const { tenant, hostNamespace } = this.#identity
    const name = identitySecretName(tenant)
    const why = errorText(error)
    const needed = isRefusal(error, 403)
      ? '; its ServiceAccount needs a Role there with the verb create on secrets, and get and update on the one of that ' +
        'name: tenant create --upgrade makes it'
      : ''
    const message = `the proof of who the virtual cluster is, in the Secret ${name} of namespace ${hostNamespace}, cannot be ${what === 'read' ? 'read' : 'written'}: ${why}${needed}`
    return new LinkFailure({ reason: 'ProofNotKept', message })
  }
}

/** The Secret with the proof. Its other entries stay. */
export function identitySecret(
  { tenant, hostNamespace }: TenantPlace,
  proof: KeptProof,
  before?: KubeObject,
): KubeObject {
  const encoded = Object.entries({
    [identityEntries.proof]: proof.proof,
    [identityEntries.project]: proof.project,
    [identityEntries.name]: proof.name,
  }).map(([entry, value]) => [entry, Buffer.from(value).toString('base64')])
  const labels = { 'app.kubernetes.io/instance': tenant }
  const metadata = before?.metadata ?? { namespace: hostNamespace, name: identitySecretName(tenant) }
  return {
    ...before,
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...metadata, labels: { ...metadata.labels, ...labels } },
    type: 'Opaque',
    data: { ...(isJsonObject(before?.data) ? before.data : {}), ...Object.fromEntries(encoded) },
  }
}

function proofIn({ data }: KubeObject): KeptProof | undefined {
  const text = (entry: string) => {
    const encoded = isJsonObject(data) ? data[entry] : undefined
    return typeof encoded === 'string' ? Buffer.from(encoded, 'base64').toString('utf8').trim() : ''
  }
  const proof = text(identityEntries.proof)
  if (proof === '') return undefined
  return { proof, project: text(identityEntries.project), name: text(identityEntries.name) }
}

/** A proof that this process has not read was written by another, faster one. */
function isReplaceable(secret: KubeObject, read: KeptProof | undefined): boolean {
  const kept = proofIn(secret)
  return kept === undefined || kept.proof === read?.proof
}
