import type { Log } from '../base/log.ts'
import type { KubeClient } from '../client/contract.ts'
import { failureOf } from './failure.ts'
import { kindConfigOf, type TenantSetting } from './kind-config.ts'
import type { KindParts } from './kind-parts.ts'
import { KindSyncer } from './kind-syncer.ts'
import type { EnabledKind } from './kinds/enabled.ts'
import { type ServedTypes, servedTypes } from './served-types.ts'

export interface KindRunParts extends Omit<KindParts, 'virtual' | 'host' | 'references'> {
  readonly clients: { readonly virtual: KubeClient; readonly host: KubeClient }
  readonly referencesOf: (types: ServedTypes & { readonly ok: true }) => KindParts['references']
  readonly log: Log
}

const absentRetryMs = 30_000
const failedRetryMs = 1_000

/** One kind from the moment it is switched on: waits until both clusters serve it, then syncs it. */
export class KindRun {
  readonly id: string
  readonly #parts: KindRunParts
  readonly #stopped = new AbortController()
  readonly #started: Promise<void>
  #resolveStarted: () => void = () => {}
  #entry: EnabledKind
  #tenant: TenantSetting
  #types: (ServedTypes & { readonly ok: true }) | undefined
  #syncer: KindSyncer | undefined
  #absence: string | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(entry: EnabledKind, tenant: TenantSetting, parts: KindRunParts) {
    this.id = entry.kind.id
    this.#entry = entry
    this.#tenant = tenant
    this.#parts = parts
    this.#started = new Promise((resolve) => {
      this.#resolveStarted = resolve
    })
    void this.#start()
  }

  get syncer(): KindSyncer | undefined {
    return this.#syncer
  }

  get types(): (ServedTypes & { readonly ok: true }) | undefined {
    return this.#types
  }

  /** Why it is not synced although it is switched on. */
  get absence(): string | undefined {
    return this.#absence
  }

  get carriesAll(): boolean {
    return this.#entry.carriesAll
  }

  /** A kind that is not served has nothing to settle. */
  get isSettled(): boolean {
    return this.#syncer?.isSettled ?? this.#absence !== undefined
  }

  async whenSettled(): Promise<void> {
    await this.#started
    await this.#syncer?.whenSettled()
  }

  async whenIdle(): Promise<void> {
    await this.#syncer?.whenIdle()
  }

  reconfigure(entry: EnabledKind, tenant: TenantSetting): void {
    this.#entry = entry
    this.#tenant = tenant
    if (this.#types !== undefined) this.#syncer?.reconfigure(kindConfigOf(entry, this.#types.virtual, tenant))
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    clearTimeout(this.#retry)
    this.#resolveStarted()
    await this.#syncer?.stop()
  }

  async #start(): Promise<void> {
    const { clients, log } = this.#parts
    try {
      const types = await servedTypes(this.#entry.kind, clients, this.#stopped.signal)
      if (this.#stopped.signal.aborted) return
      if (types.ok) this.#run(types)
      else this.#isAbsent(types.message)
    } catch (error) {
      if (this.#stopped.signal.aborted) return
      const failure = failureOf(error)
      if (failure.type !== 'unreachable') log.warn('cannot learn what is served', { kind: this.id, error })
      this.#startLater(failedRetryMs)
    }
  }

  #run(types: ServedTypes & { readonly ok: true }): void {
    const { clients, referencesOf, ...parts } = this.#parts
    this.#absence = undefined
    this.#types = types
    this.#syncer = new KindSyncer(
      {
        ...parts,
        virtual: { client: clients.virtual, type: types.virtual },
        host: { client: clients.host, type: types.host },
        references: referencesOf(types),
      },
      kindConfigOf(this.#entry, types.virtual, this.#tenant),
    )
    this.#resolveStarted()
  }

  /** Said once; custom resources may be installed later. */
  #isAbsent(message: string): void {
    if (this.#absence === undefined) this.#parts.log.warn('a kind is not synced', { kind: this.id, reason: message })
    this.#absence = message
    this.#resolveStarted()
    this.#startLater(absentRetryMs)
  }

  #startLater(pauseMs: number): void {
    this.#retry = setTimeout(() => void this.#start(), pauseMs)
  }
}
