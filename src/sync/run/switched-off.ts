import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Log } from '../../base/log.ts'
import type { KubeClient, ResourceType } from '../../client/contract.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { SyncKind } from '../contract.ts'
import { anyCompanionSelector, copySelector, isCopyOf } from '../names/markers.ts'
import { nameOf, type TenantPlace } from '../names/names.ts'
import { isProtected, withoutCopyProtection } from '../plan/copy-protection.ts'
import { mayList } from './may-list.ts'
import { typesOn } from './served-types.ts'

export interface SwitchedOffOptions {
  readonly identity: TenantPlace
  readonly virtual: KubeClient
  readonly host: KubeClient
  /** Checked right before each write. */
  readonly mayWrite: () => boolean
  readonly log: Log
}

/**
 * Deletes the copies of kinds that the configuration does not sync, from this run or an earlier one, and removes the
 * finalizers that kept virtual objects for them.
 */
export class SwitchedOff {
  readonly #options: SwitchedOffOptions
  readonly #loop: Reconciler
  #kinds: ReadonlyMap<string, SyncKind> = new Map()
  #namespace: string | undefined

  constructor(options: SwitchedOffOptions) {
    this.#options = options
    this.#loop = new Reconciler({
      reconcile: (id) => this.#clear(id),
      failed: (id, error) => options.log.warn('copies of a kind that is switched off remain', { kind: id, error }),
      workers: 1,
      firstPauseMs: 1_000,
    })
  }

  /** Without a namespace: in all namespaces. */
  replace(kinds: readonly SyncKind[], namespace: string | undefined): void {
    this.#kinds = new Map(kinds.map((kind) => [kind.id, kind]))
    this.#namespace = namespace
    for (const id of this.#kinds.keys()) this.#loop.add(id)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** If the tenant no longer has rights on the kind, the operator who removed them also removed the copies. */
  async #clear(id: string): Promise<void> {
    const kind = this.#kinds.get(id)
    if (kind === undefined) return
    const { host, identity, log } = this.#options
    const { signal } = this.#loop
    try {
      for (const type of await typesOn(host, kind, signal)) await this.#clearType(id, type, copySelector(identity))
      for (const { group, resource } of kind.companions ?? []) {
        const type = await host.served.find(group, resource, signal)
        if (type !== undefined) await this.#clearType(id, type, anyCompanionSelector(identity))
      }
    } catch (error) {
      if (!isRefusal(error, 403)) throw error
      log.debug('copies of a kind that is switched off are out of reach', { kind: id })
    }
    if (kind.outlastsCopy === true) await this.#release(id, kind)
  }

  async #release(id: string, kind: SyncKind): Promise<void> {
    const { virtual, mayWrite } = this.#options
    const { signal } = this.#loop
    for (const type of await typesOn(virtual, kind, signal)) {
      const { items } = await virtual.list(type, {}, signal)
      for (const item of items) {
        if (!isProtected(item) || !this.#kinds.has(id) || !mayWrite()) continue
        const patch = { type: 'merge' as const, body: withoutCopyProtection(item) }
        await virtual.patch(type, nameOf(item), patch, signal).catch((error) => {
          if (!isRefusal(error, 404)) throw error
        })
      }
    }
  }

  async #clearType(id: string, type: ResourceType, labelSelector: string): Promise<void> {
    const { host, identity } = this.#options
    const { signal } = this.#loop
    const namespace = this.#namespace
    if (!(await mayList(host, type, namespace, signal))) return
    const selection = { ...(namespace !== undefined && { namespace }), labelSelector }
    const { items } = await host.list(type, selection, signal)
    for (const item of items) if (isCopyOf(item, identity)) await this.#remove(id, type, item)
  }

  async #remove(id: string, type: ResourceType, { metadata }: KubeObject): Promise<void> {
    const { host, mayWrite } = this.#options
    if (!this.#kinds.has(id) || !mayWrite()) return
    const { namespace = '', name = '', uid } = metadata
    await host.delete(type, { namespace, name }, uid === undefined ? {} : { uid }, this.#loop.signal).catch((error) => {
      if (!isRefusal(error, 404) && !isRefusal(error, 409)) throw error
    })
  }
}
