import type { KeyIndex, KnownKey } from '../../auth/keys/contract.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { removeSession } from './remove-session.ts'

const manager = 'session-sweep'
const intervalMs = 1_000

/**
 * Deletes sessions that have ended. They are refused from their end on; once deleted, they cannot return, whatever
 * happens to the key they were started with.
 */
export class SessionSweep implements Controller {
  readonly #index: Pick<KeyIndex, 'takeEndedSessions'>
  readonly #loop: Reconciler
  readonly #uids = new Map<string, string>()

  constructor(
    keys: ResourceContext,
    index: Pick<KeyIndex, 'takeEndedSessions' | 'endedSessions'>,
    report: ReportError,
  ) {
    this.#index = index
    this.#loop = new Reconciler({
      reconcile: async (name) => {
        await removeSession(keys, name, this.#uids.get(name))
        this.#uids.delete(name)
      },
      failed: (name, error) => report(manager, name, error),
    })
    this.#add(index.endedSessions(keys.engine.clock.now()))
    this.#loop.every(intervalMs, () => this.#add(this.#index.takeEndedSessions(keys.engine.clock.now())))
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #add(sessions: readonly KnownKey[]): void {
    for (const { name, uid } of sessions) {
      this.#uids.set(name, uid)
      this.#loop.add(name)
    }
  }
}
