import { accessKeyEntry, managedKeyLabel } from '../../api/managed-secret.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Clock } from '../../base/clock.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { silentLog } from '../../base/log.ts'
import type { Random } from '../../base/random.ts'
import type { KubeClient, ResourceType } from '../../client/contract.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { ReportError } from '../../registry/controllers/controller.ts'
import { editObject } from '../../registry/verbs/edit.ts'
import { platformRequest } from '../platform-user.ts'

export interface ManagedSecretsOptions {
  readonly secrets: () => ResourceContext
  readonly clusters: () => ResourceContext
  readonly accessOf: (cluster: string) => Promise<ClusterAccess>
  readonly clock: Clock
  readonly random: Random
  readonly report: ReportError
}

/** A Secret in a cluster that the platform reaches. */
export interface ClusterSecret {
  readonly cluster: string
  readonly namespace: string
  readonly name: string
}

/** What may still hold the value before. Without a name: any Secret of a cluster that was not reached. */
export interface StaleSecret {
  /** Absent: the platform itself. */
  readonly cluster?: string
  readonly namespace: string
  readonly name: string
}

/** Writes a new value into the Secrets that were found. Never fails: it resolves when all have been tried. */
export type Rewrite = (value: string) => Promise<readonly StaleSecret[]>

const secretType: ResourceType = {
  group: '',
  version: 'v1',
  resource: 'secrets',
  kind: 'Secret',
  namespaced: true,
  hasStatus: false,
}
const patienceMs = 5_000
/** A cluster that finds more Secrets of one key than anybody would make counts as one that does not answer. */
const expected = { bytes: 2 * 1024 * 1024, objects: 1_000, pages: 10 }
const source = 'managed-secrets'

/**
 * Secrets with the label of a key, here and in every cluster that the platform reaches. A label is a wish and no proof:
 * only who holds the key already is given its next value.
 */
export class ManagedSecrets {
  readonly #options: ManagedSecretsOptions

  constructor(options: ManagedSecretsOptions) {
    this.#options = options
  }

  /** To be asked before the key changes, as long as its value can be recognised. */
  async find(keyName: string, holds: (value: string) => boolean): Promise<Rewrite> {
    const { clusters } = this.#options
    const names = [...clusters().cache.current().values()].map(({ name }) => name)
    const rewrites = await Promise.all([
      this.#findHere(keyName, holds),
      ...names.map((name) => this.#findIn(name, keyName, holds)),
    ])
    return async (value) => (await Promise.all(rewrites.map((rewrite) => rewrite(value)))).flat()
  }

  #findHere(keyName: string, holds: (value: string) => boolean): Rewrite {
    const secrets = this.#options.secrets()
    const found = [...secrets.cache.current().values()].filter(
      ({ object }) => object.metadata.labels?.[managedKeyLabel] === keyName && holds(valueIn(object)),
    )
    return async (value) => {
      const request = platformRequest(source, new AbortController().signal)
      const stale: StaleSecret[] = []
      for (const { namespace, name } of found) {
        await editObject(secrets, { namespace, name }, (object) => withValue(object, value), request).catch((error) => {
          this.#options.report(source, `${namespace}/${name}`, error)
          stale.push({ namespace, name })
        })
      }
      return stale
    }
  }

  /** Those in clusters, without changing anything. */
  async findInClusters(keyName: string, holds: (value: string) => boolean): Promise<readonly ClusterSecret[]> {
    const names = [...this.#options.clusters().cache.current().values()].map(({ name }) => name)
    const found = await Promise.all(
      names.map(async (cluster) =>
        ((await this.#holdersIn(cluster, keyName, holds)) ?? []).map(({ metadata: { namespace = '', name = '' } }) => ({
          cluster,
          namespace,
          name,
        })),
      ),
    )
    return found.flat()
  }

  /** Nothing is known of the Secrets of a cluster that does not answer. */
  async #findIn(cluster: string, keyName: string, holds: (value: string) => boolean): Promise<Rewrite> {
    const found = await this.#holdersIn(cluster, keyName, holds)
    if (found === undefined) return async () => [{ cluster, namespace: '', name: '' }]
    return (value) => this.#rewriteIn(cluster, found, value)
  }

  /** Undefined for a cluster that does not answer, which is reported. */
  async #holdersIn(
    cluster: string,
    keyName: string,
    holds: (value: string) => boolean,
  ): Promise<readonly KubeObject[] | undefined> {
    try {
      return await this.#withClient(cluster, async (client) => {
        const selection = { labelSelector: `${managedKeyLabel}=${keyName}`, atMost: expected }
        const { items } = await client.list(secretType, selection, patience())
        return items.filter((item) => holds(valueIn(item)))
      })
    } catch (error) {
      this.#options.report(source, cluster, error)
      return undefined
    }
  }

  async #rewriteIn(cluster: string, found: readonly KubeObject[], value: string): Promise<readonly StaleSecret[]> {
    if (found.length === 0) return []
    const left = new Set(found)
    const report = (error: unknown) => this.#options.report(source, cluster, error)
    const signal = patience()
    await this.#withClient(cluster, async (client) => {
      for (const secret of found) {
        const { name = '', namespace = '', uid } = secret.metadata
        const body = { metadata: { uid }, data: { [accessKeyEntry]: encoded(value) } }
        const patched = client.patch(secretType, { namespace, name }, { type: 'merge', body }, signal)
        await patched.then(() => left.delete(secret), report)
      }
    }).catch(report)
    return [...left].map(({ metadata: { namespace = '', name = '' } }) => ({ cluster, namespace, name }))
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

function patience(): AbortSignal {
  return AbortSignal.timeout(patienceMs)
}

function valueIn({ data }: KubeObject): string {
  const value = isJsonObject(data) ? data[accessKeyEntry] : undefined
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8').trim() : ''
}

function withValue(object: KubeObject, value: string): KubeObject {
  const data = isJsonObject(object.data) ? object.data : {}
  return { ...object, data: { ...data, [accessKeyEntry]: encoded(value) } }
}

function encoded(value: string): string {
  return Buffer.from(value).toString('base64')
}
