import type { UserInfo } from '../../api/access.ts'
import type { GetOptions, ListRequestOptions } from '../../registry/contract.ts'
import { listOptions } from '../options/list-options.ts'
import type { Call } from './call.ts'

/** The signal is created only on first use; most reads never use it. */
export class CallReadOptions implements GetOptions {
  readonly resourceVersion: string
  readonly #call: Call

  constructor(call: Call) {
    this.resourceVersion = call.info.query.get('resourceVersion') ?? ''
    this.#call = call
  }

  get user(): UserInfo {
    return this.#call.exchange.user
  }

  get signal(): AbortSignal {
    return this.#call.exchange.request.signal
  }
}

export class ListReadOptions implements ListRequestOptions {
  readonly labelSelector: string
  readonly fieldSelector: string
  readonly limit: number
  readonly continue: string
  readonly resourceVersion: string
  readonly resourceVersionMatch: string
  readonly sendInitialEvents: boolean | undefined
  readonly #call: Call

  constructor(call: Call) {
    const options = listOptions(call.info)
    this.labelSelector = options.labelSelector
    this.fieldSelector = options.fieldSelector
    this.limit = options.limit
    this.continue = options.continue
    this.resourceVersion = options.resourceVersion
    this.resourceVersionMatch = options.resourceVersionMatch
    this.sendInitialEvents = options.sendInitialEvents
    this.#call = call
  }

  get user(): UserInfo {
    return this.#call.exchange.user
  }

  get signal(): AbortSignal {
    return this.#call.exchange.request.signal
  }
}
