import { isRefusal } from '../../api/error.ts'
import { accessKeyEntry } from '../../api/managed-secret.ts'
import type { KubeObject } from '../../api/object.ts'
import type { ManagedSecret, SecretPlace } from '../../api/types/management.ts'
import type { Clock } from '../../base/clock.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { silentLog } from '../../base/log.ts'
import type { Random } from '../../base/random.ts'
import { secretType } from '../../client/builtin-types.ts'
import type { KubeClient, ListSelection } from '../../client/contract.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { ReportError } from '../../registry/controllers/controller.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { editObject } from '../../registry/verbs/edit.ts'
import { platformRequest } from '../platform-user.ts'

export interface ManagedSecretsOptions {
  readonly secrets: () => ResourceContext
  readonly accessOf: (cluster: string) => Promise<ClusterAccess>
  readonly clock: Clock
  readonly random: Random
  readonly report: ReportError
}

/** The current state of a Secret that was added to a key. `holds`: it contains a value of the key. */
export type SecretState = 'holds' | 'other-value' | 'replaced' | 'gone' | 'unreached' | 'unwritten'

/** Whether a value belongs to the key. */
type Holds = (value: string) => boolean

export interface CheckedSecret {
  readonly secret: ManagedSecret
  readonly state: SecretState
}

const patienceMs = 5_000
const source = 'managed-secrets'

/** The Secrets that key values are written to: only those that were added to a key, on the platform and in clusters. */
export class ManagedSecrets {
  readonly #options: ManagedSecretsOptions

  constructor(options: ManagedSecretsOptions) {
    this.#options = options
  }

  /** Undefined if the Secret does not exist. Throws if that cannot be determined. */
  async find({ cluster = '', namespace = '', name = '' }: SecretPlace): Promise<KubeObject | undefined> {
    const key = { namespace, name }
    if (cluster !== '') return this.#withClient(cluster, (client) => existing(client, key))
    const secrets = this.#options.secrets()
    await caughtUp(secrets.engine)
    return secrets.cache.get(key)?.object
  }

  /** Only reads. */
  look(secrets: readonly ManagedSecret[], holds: Holds): Promise<readonly CheckedSecret[]> {
    return Promise.all(secrets.map(async (secret) => ({ secret, state: await this.#stateOf(secret, holds) })))
  }

  /**
   * Writes a new value into the Secrets that hold the key. Never rejects: resolves to the Secrets that were not
   * written.
   */
  async rewrite(secrets: readonly ManagedSecret[], holds: Holds, value: string): Promise<readonly CheckedSecret[]> {
    const looked = await this.look(secrets, holds)
    const written = await Promise.all(
      looked.map(async ({ secret, state }): Promise<CheckedSecret> => {
        if (state !== 'holds') return { secret, state }
        return { secret, state: await this.#write(secret, holds, value) }
      }),
    )
    return written.filter(({ state }) => state !== 'holds')
  }

  /** Lists Secrets of a cluster, within limits. Throws if the cluster does not answer. */
  async list(cluster: string, selection: ListSelection): Promise<readonly KubeObject[]> {
    return this.#withClient(cluster, async (client) => (await client.list(secretType, selection, patience())).items)
  }

  async #stateOf(secret: ManagedSecret, holds: Holds): Promise<SecretState> {
    try {
      return stateIn(await this.find(secret), secret, holds)
    } catch (error) {
      this.#report(secret, error)
      return 'unreached'
    }
  }

  /** Checks the Secret again at the time of the write, so that a writer who came between is not overwritten. */
  async #write(secret: ManagedSecret, holds: Holds, value: string): Promise<SecretState> {
    try {
      const { cluster = '' } = secret
      if (cluster === '') return await this.#writeHere(secret, holds, value)
      return await this.#withClient(cluster, (client) => writeThere(client, secret, holds, value))
    } catch (error) {
      this.#report(secret, error)
      return 'unwritten'
    }
  }

  async #writeHere(secret: ManagedSecret, holds: Holds, value: string): Promise<SecretState> {
    const { namespace = '', name = '' } = secret
    const request = platformRequest(source, new AbortController().signal)
    let found: KubeObject | undefined
    await editObject(
      this.#options.secrets(),
      { namespace, name },
      (object) => {
        found = object
        if (stateIn(object, secret, holds) !== 'holds') return undefined
        const data = asMembers(object.data)
        return { ...object, data: { ...data, [entryOf(secret)]: encoded(value) } }
      },
      request,
    )
    return stateIn(found, secret, holds)
  }

  #report({ cluster = '', namespace = '', name = '' }: ManagedSecret, error: unknown): void {
    this.#options.report(source, `${cluster === '' ? '' : `${cluster}: `}${namespace}/${name}`, error)
  }

  async #withClient<T>(cluster: string, act: (client: KubeClient) => Promise<T>): Promise<T> {
    const { accessOf, clock, random } = this.#options
    const [access, { createKubeClient }] = await Promise.all([accessOf(cluster), import('../../client/kube-client.ts')])
    const client = createKubeClient({ access, clock, random, log: silentLog, userAgent: 'tenant-platform', env: {} })
    try {
      return await act(client)
    } finally {
      await client.close()
    }
  }
}

function stateIn(found: KubeObject | undefined, secret: ManagedSecret, holds: Holds): SecretState {
  if (found === undefined) return 'gone'
  if (found.metadata.uid === undefined || found.metadata.uid !== secret.uid) return 'replaced'
  return holds(valueIn(found, secret)) ? 'holds' : 'other-value'
}

/** How often another writer may come first. */
const writeAttempts = 5

async function writeThere(
  client: KubeClient,
  secret: ManagedSecret,
  holds: Holds,
  value: string,
): Promise<SecretState> {
  const { namespace = '', name = '' } = secret
  for (let attempt = 1; ; attempt += 1) {
    const found = await existing(client, { namespace, name })
    const state = stateIn(found, secret, holds)
    if (found === undefined || state !== 'holds') return state
    const { uid, resourceVersion } = found.metadata
    const body = { metadata: { uid, resourceVersion }, data: { [entryOf(secret)]: encoded(value) } }
    try {
      await client.patch(secretType, { namespace, name }, { type: 'merge', body }, patience())
      return 'holds'
    } catch (error) {
      if (!isRefusal(error, 409) || attempt === writeAttempts) throw error
    }
  }
}

async function existing(
  client: KubeClient,
  key: { readonly namespace: string; readonly name: string },
): Promise<KubeObject | undefined> {
  try {
    return await client.get(secretType, key, patience())
  } catch (error) {
    if (isRefusal(error, 404)) return undefined
    throw error
  }
}

function patience(): AbortSignal {
  return AbortSignal.timeout(patienceMs)
}

function entryOf({ entry }: SecretPlace): string {
  return entry || accessKeyEntry
}

export function valueIn({ data }: KubeObject, place: SecretPlace): string {
  const entry = entryOf(place)
  const value = isJsonObject(data) && Object.hasOwn(data, entry) ? data[entry] : undefined
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8').trim() : ''
}

function encoded(value: string): string {
  return Buffer.from(value).toString('base64')
}
