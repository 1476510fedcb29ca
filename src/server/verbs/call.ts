import type { Decision, ResourceAttributes, UserInfo } from '../../api/access.ts'
import type { Authorizer } from '../../auth/contract.ts'
import type { Clock } from '../../base/clock.ts'
import type { LongWork, Pacing } from '../../base/pace.ts'
import type { Random } from '../../base/random.ts'
import type { NamedTarget, Resource, Target, WriteRequest } from '../../registry/contract.ts'
import type { Exchange } from '../exchange.ts'
import type { Slices } from '../fairness/slices.ts'
import type { Response } from '../http.ts'
import { managerFromUserAgent, type WriteParameters } from '../options/write-options.ts'
import type { Query } from '../request/query.ts'
import type { ResourceInfo } from '../request/request-info.ts'
import type { ListMemory } from './list-memory.ts'
import type { Watches } from './watches.ts'

/** Dependencies of verbs besides the request. */
export interface Services {
  readonly authorizer: Authorizer
  readonly clock: Clock
  readonly random: Random
  readonly watches: Watches
  readonly lists: ListMemory
  readonly slices: Slices
}

/** One verb on one resource, for an authorized caller. */
export interface Call {
  readonly exchange: Exchange
  readonly info: ResourceInfo
  readonly resource: Resource
  readonly services: Services
}

export type Verb = (call: Call) => Response | Promise<Response>

export function namespaceTargetOf({ info, resource }: Call): Target {
  return { namespace: resource.kind.namespaced ? info.namespace : '' }
}

export function namedTargetOf({ info, resource }: Call): NamedTarget {
  return { namespace: resource.kind.namespaced ? info.namespace : '', name: info.pathName }
}

/** Time for computing a long answer: taken from its caller's share, until the caller stops waiting. */
export function workOf(call: Call): LongWork {
  return { pacing: pacingFor(call), signal: call.exchange.request.signal }
}

/** Time for computing a long answer: taken from its caller's share. */
export function pacingFor({ exchange, services }: Call): Pacing {
  return services.slices.for(exchange.flow?.owner ?? '')
}

export function writeRequestOf(call: Call, options: WriteParameters): WriteRequest {
  return new CallWriteRequest(call, options)
}

/** The signal is created only on first use; most writes never use it. */
class CallWriteRequest implements WriteRequest {
  readonly user: UserInfo
  readonly subresource: string
  readonly fieldManager: string
  readonly fieldValidation: WriteRequest['fieldValidation']
  readonly dryRun: boolean
  readonly #query: Query
  readonly #exchange: Exchange
  readonly #authorizer: Authorizer

  constructor({ exchange, info, services }: Call, options: WriteParameters) {
    this.user = exchange.user
    this.subresource = info.subresource
    this.fieldManager = options.fieldManager || managerFromUserAgent(exchange.request.headers['user-agent'])
    this.fieldValidation = options.fieldValidation
    this.dryRun = options.dryRun
    this.#query = info.query
    this.#exchange = exchange
    this.#authorizer = services.authorizer
  }

  get signal(): AbortSignal {
    return this.#exchange.request.signal
  }

  get givenOptions(): NonNullable<WriteRequest['givenOptions']> {
    const fieldManager = this.#query.get('fieldManager') ?? ''
    const fieldValidation = this.#query.get('fieldValidation') ?? ''
    return {
      ...(fieldManager !== '' && { fieldManager }),
      ...(fieldValidation !== '' && { fieldValidation }),
    }
  }

  readonly warn = (text: string): void => this.#exchange.warn(text)

  readonly annotate = (key: string, value: string): void => this.#exchange.annotate(key, value)

  readonly authorize = (attributes: ResourceAttributes): Decision | Promise<Decision> =>
    this.#authorizer.authorize(attributes)
}
