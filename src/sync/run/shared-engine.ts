import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { deepEqual } from '../../base/equal.ts'
import type { ExpressionEngine } from '../../expression/contract.ts'
import { createExpressionEngine } from '../../expression/engine.ts'
import { serviceTranslation, type TenantPlace } from '../names/names.ts'

/**
 * One sandbox for all kinds of a tenant, started by the first expression. It caches the answers of `virtualToHostDNS`,
 * so a configuration that translates differently gets a new one.
 */
export class SharedEngine {
  readonly #identity: TenantPlace
  #config: EffectiveConfig | undefined
  #engine: ExpressionEngine | undefined
  #isClosed = false

  constructor(identity: TenantPlace) {
    this.#identity = identity
  }

  for(config: EffectiveConfig): ExpressionEngine {
    const isOther = this.#config !== undefined && !translatesAlike(this.#config, config)
    this.#config = config
    if (isOther) this.#endEngine()
    return { evaluate: (batch) => this.#started(config).evaluate(batch), close: () => Promise.resolve() }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#engine?.close()
  }

  #endEngine(): void {
    void this.#engine?.close()
    this.#engine = undefined
  }

  #started(config: EffectiveConfig): ExpressionEngine {
    const isOutdated = this.#config === undefined || !translatesAlike(this.#config, config)
    if (this.#isClosed || isOutdated) throw new Error('these expressions are no longer needed')
    this.#engine ??= createExpressionEngine({ virtualToHostDNS: serviceTranslation(this.#identity, config) })
    return this.#engine
  }
}

function translatesAlike(left: EffectiveConfig, right: EffectiveConfig): boolean {
  const { networking, sync } = left
  return deepEqual(networking, right.networking) && deepEqual(sync.toHost.namespaces, right.sync.toHost.namespaces)
}
