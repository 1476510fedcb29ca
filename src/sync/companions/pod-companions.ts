import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { Companions } from './contract.ts'
import { EnvironmentKeeper, type EnvironmentKeeperOptions } from './environment/environment-keeper.ts'
import { TokenKeeper, type TokenKeeperOptions } from './tokens/token-keeper.ts'

export type PodCompanionOptions = TokenKeeperOptions & EnvironmentKeeperOptions

/** What Pods on the host need besides the copies they name: tokens, and variables of Services. */
export class PodCompanions implements Companions {
  readonly #tokens: TokenKeeper
  readonly #environment: EnvironmentKeeper

  constructor(options: PodCompanionOptions) {
    this.#tokens = new TokenKeeper(options)
    this.#environment = new EnvironmentKeeper(options)
  }

  prepare(virtual: KubeObject, signal: AbortSignal): void {
    this.#tokens.prepare(virtual, signal)
  }

  async provide(virtual: KubeObject, place: ObjectName, signal: AbortSignal): Promise<void> {
    await Promise.all([this.#tokens.provide(virtual, place, signal), this.#environment.provide(virtual, place, signal)])
  }

  made(virtual: KubeObject, copy: KubeObject): void {
    this.#tokens.made(virtual, copy)
  }

  refused(virtual: KubeObject, place: ObjectName): void {
    this.#tokens.refused(virtual, place)
  }

  async stop(): Promise<void> {
    await Promise.all([this.#tokens.stop(), this.#environment.stop()])
  }
}
