import { managedKeyLabel } from '../../api/managed-secret.ts'
import { defaultKeySecret } from '../../api/tenant-config/fields.ts'
import type { SecretPlace } from '../../api/types/management.ts'
import { hashKey } from '../../auth/keys/values/key-value.ts'
import { type Clock, timestamp } from '../../base/clock.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { ensureObject } from '../../registry/controllers/ensure.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { storeChanged } from '../../registry/stored-write.ts'
import { withSecrets } from '../access-keys/admission/admitted-secrets.ts'
import { accessKeyOf } from '../access-keys/record/access-key.ts'
import { sealedOf } from '../access-keys/record/key-record.ts'
import { platformRequest } from '../platform-user.ts'
import type { ManagedSecrets } from './managed-secrets.ts'
import { type LabeledSecret, madeFor, ownSecret } from './own-secrets.ts'

export interface TakeOverOptions {
  readonly keys: ResourceContext
  readonly instances: ResourceContext
  readonly clusters: ResourceContext
  /** ConfigMaps, one of which records that the migration is done. */
  readonly records: ResourceContext
  readonly secrets: Pick<ManagedSecrets, 'find' | 'list'>
  readonly clock: Clock
  readonly report: ReportError
}

const record = { namespace: 'kube-system', name: 'platform-managed-secrets' }
const source = 'take-over'
const atMost = { bytes: 16 * 1024 * 1024, objects: 10_000, pages: 100 }

/**
 * Runs once, at the first start of a version that records the Secrets of a key in the key: Secrets that earlier
 * versions created are found by their label and added, so that no link ends at the next rotation. It waits until all
 * clusters have answered: before that, a forged Secret might look like the only one.
 */
export class TakeOver implements Controller {
  readonly #options: TakeOverOptions
  readonly #loop: Reconciler

  constructor(options: TakeOverOptions) {
    this.#options = options
    this.#loop = new Reconciler({
      reconcile: () => this.#run(),
      failed: (_, error) => options.report(source, 'Secrets of keys', error),
      workers: 1,
      firstPauseMs: 1_000,
      longestPauseMs: 60_000,
    })
    this.#loop.add('all')
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #run(): Promise<void> {
    const { keys, records, clock } = this.#options
    await caughtUp(records.engine)
    if (records.cache.get(record) !== undefined) return
    const tenantKeys = [...keys.cache.current().values()].filter(isTenantKey)
    const labeled = tenantKeys.length === 0 ? [] : await this.#labeled()
    for (const document of tenantKeys) await this.#takeOver(document, labeled)
    const data = { takenOverAt: timestamp(clock.now()) }
    const done = { apiVersion: 'v1', kind: 'ConfigMap', metadata: record, data }
    await ensureObject(records, done, platformRequest(source, new AbortController().signal))
  }

  async #labeled(): Promise<readonly LabeledSecret[]> {
    const { clusters, secrets } = this.#options
    const names = [...clusters.cache.current().values()].map(({ name }) => name)
    const selection = { labelSelector: managedKeyLabel, fieldSelector: `metadata.name=${defaultKeySecret}`, atMost }
    const found = await Promise.all(
      names.map(async (cluster) => (await secrets.list(cluster, selection)).map((secret) => ({ cluster, secret }))),
    )
    return found.flat()
  }

  async #takeOver(document: StoredDocument, labeled: readonly LabeledSecret[]): Promise<void> {
    const { instances, secrets } = this.#options
    const key = accessKeyOf(document.object)
    const place = madeFor(key)
    const sealed = sealedOf(document)
    const hashes = [sealed?.hash, sealed?.previous?.hash]
    const instance = place && instances.cache.get(place)?.object
    const own = ownSecret({ key, instance, holds: (value) => hashes.includes(hashKey(value)) }, labeled)
    const uid = own && (await secrets.find(own))?.metadata.uid
    if (own !== undefined && uid !== undefined) await this.#add(document, own, uid)
  }

  async #add(document: StoredDocument, place: SecretPlace, uid: string): Promise<void> {
    const { keys, clock } = this.#options
    const added = { ...place, uid, addedBy: 'system:platform', addedAt: timestamp(clock.now()) }
    for (let current: StoredDocument | undefined = document; current !== undefined && isTenantKey(current); ) {
      const { spec = {}, status = {} } = accessKeyOf(current.object)
      const object = {
        ...current.object,
        spec: { ...spec, managedSecrets: [place] },
        status: withSecrets(status, [added]),
      }
      const stored = await storeChanged(keys, current, object)
      current = stored.outcome === 'written' ? undefined : stored.current
    }
  }
}

/** Whether a key was made for a virtual cluster and has no Secret yet. Few are, so the others are not even parsed. */
function isTenantKey(document: StoredDocument): boolean {
  if (!document.contains('"virtualClusters"')) return false
  const key = accessKeyOf(document.object)
  return (key.spec?.managedSecrets ?? []).length === 0 && madeFor(key) !== undefined
}
