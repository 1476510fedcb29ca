import type { Informer, InformerOptions, KubeClient, ObjectChange, ResourceType } from '../../client/contract.ts'
import { mayList } from './may-list.ts'

export interface PermittedInformerOptions {
  readonly client: KubeClient
  readonly type: ResourceType
  readonly selection: InformerOptions
  readonly changed: (change: ObjectChange) => void
  /** Called when reading is not permitted for now. */
  readonly withoutRight: () => void
}

const askAgainMs = 60_000

/** Follows a resource that a tenant can do without, as soon as it has the right to read it. */
export class PermittedInformer {
  readonly #options: PermittedInformerOptions
  readonly #stopping = new AbortController()
  #informer: Informer | undefined
  #again: NodeJS.Timeout | undefined

  constructor(options: PermittedInformerOptions) {
    this.#options = options
  }

  /** Undefined until reading is permitted. */
  get current(): Informer | undefined {
    return this.#informer
  }

  async start(): Promise<void> {
    const { client, type, selection, changed, withoutRight } = this.#options
    const { signal } = this.#stopping
    const isAllowed = await mayList(client, type, selection.namespace, signal).catch(() => false)
    if (signal.aborted) return
    if (!isAllowed) {
      withoutRight()
      this.#again = setTimeout(() => void this.start(), askAgainMs).unref()
      return
    }
    this.#informer = client.informer(type, selection)
    this.#informer.onChange(changed)
  }

  stop(): void {
    this.#stopping.abort()
    clearTimeout(this.#again)
    this.#informer?.stop()
  }
}
