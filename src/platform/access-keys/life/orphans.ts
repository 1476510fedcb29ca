import { isRefusal } from '../../../api/error.ts'
import type { KeyOwner } from '../../../auth/keys/contract.ts'
import { Pace } from '../../../base/pace.ts'
import { Reconciler } from '../../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../../registry/context.ts'
import type { Controller, ReportError } from '../../../registry/controllers/controller.ts'
import { caughtUp } from '../../../registry/freshness.ts'
import { deleteObject } from '../../../registry/verbs/delete.ts'
import type { Directory } from '../../owners/directory.ts'
import { platformRequest } from '../../platform-user.ts'
import { orphanedKeys } from '../record/key-feed.ts'
import type { KeysByOwner } from '../record/keys-by-owner.ts'

const manager = 'access-key-orphans'

/**
 * Keys are removed with their owner. The owner stays blocked until the last key is gone, so that old keys do not act
 * for a new owner with the same name.
 */
export class Orphans implements Controller {
  readonly #keysByOwner: KeysByOwner
  readonly #loop: Reconciler

  constructor(keys: () => ResourceContext, keysByOwner: KeysByOwner, directory: Directory, report: ReportError) {
    this.#keysByOwner = keysByOwner
    this.#loop = new Reconciler({
      reconcile: async (text) => {
        const owner = ownerNamed(text)
        await this.#removeAll(keys(), owner, directory)
        directory.unblock(owner)
      },
      failed: (name, error) => report(manager, name, error),
      workers: 2,
    })
  }

  readonly add = ({ kind, name }: KeyOwner): void => this.#loop.add(`${kind}/${name}`)

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** Waits until all stored objects are loaded: the feed may report a key before its owner. */
  async #removeAll(keys: ResourceContext, owner: KeyOwner, directory: Directory): Promise<void> {
    const request = platformRequest(manager, this.#loop.signal)
    const pace = new Pace()
    await caughtUp(keys.engine)
    for (const document of orphanedKeys(keys.cache, this.#keysByOwner, owner, directory)) {
      await pace.step()
      if (document.object.metadata.deletionTimestamp !== undefined) continue
      try {
        await deleteObject(keys, document, { dryRun: false }, request)
      } catch (error) {
        if (!isRefusal(error, 404)) throw error
      }
    }
  }
}

function ownerNamed(text: string): KeyOwner {
  const slash = text.indexOf('/')
  const name = text.slice(slash + 1)
  switch (text.slice(0, slash)) {
    case 'user':
      return { kind: 'user', name }
    case 'team':
      return { kind: 'team', name }
    default:
      return { kind: 'subject', name }
  }
}
