import type { KeyIndex, KnownKey } from '../../auth/keys/contract.ts'
import { WorkQueue } from '../../base/work-queue.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { remove } from './sessions.ts'

const manager = 'session-sweep'
const intervalMs = 1_000

/**
 * Takes sessions away that are over. They were refused from the moment at which they were; taken away, they stay over,
 * whatever becomes of the key that they were started with.
 */
export class SessionSweep implements Controller {
  readonly #index: Pick<KeyIndex, 'takeEndedSessions'>
  readonly #timer: NodeJS.Timeout
  readonly #queue: WorkQueue
  readonly #uids = new Map<string, string>()

  constructor(
    keys: ResourceContext,
    index: Pick<KeyIndex, 'takeEndedSessions' | 'endedSessions'>,
    report: ReportError,
  ) {
    this.#index = index
    this.#queue = new WorkQueue({
      handle: async (name) => {
        await remove(keys, name, this.#uids.get(name))
        this.#uids.delete(name)
      },
      onError: (name, error) => report(manager, name, error),
    })
    this.#add(index.endedSessions(keys.engine.clock.now()))
    this.#timer = setInterval(() => this.#add(this.#index.takeEndedSessions()), intervalMs).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#queue.stop()
  }

  #add(sessions: readonly KnownKey[]): void {
    for (const { name, uid } of sessions) {
      this.#uids.set(name, uid)
      this.#queue.add(name)
    }
  }
}
