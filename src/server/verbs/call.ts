import type { Decision, ResourceAttributes } from '../../api/access.ts'
import type { Authorizer } from '../../auth/contract.ts'
import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import type { NamedTarget, Resource, Target, WriteRequest } from '../../registry/contract.ts'
import type { Exchange } from '../exchange.ts'
import type { Response } from '../http.ts'
import { managerFromUserAgent, type WriteOptions } from '../options/write-options.ts'
import type { ResourceInfo } from '../request-info.ts'
import type { ListMemory } from './list-memory.ts'
import type { Watches } from './watches.ts'

/** What verbs need besides the request. */
export interface Services {
  readonly authorizer: Authorizer
  readonly clock: Clock
  readonly random: Random
  readonly watches: Watches
  readonly lists: ListMemory
}

/** One verb asked of one resource; the caller has been found to be allowed to. */
export interface Call {
  readonly exchange: Exchange
  readonly info: ResourceInfo
  readonly resource: Resource
  readonly services: Services
}

export type Verb = (call: Call) => Response | Promise<Response>

export function targetOf({ info, resource }: Call): Target {
  return { namespace: resource.kind.namespaced ? info.namespace : '' }
}

export function namedTargetOf({ info, resource }: Call): NamedTarget {
  return { namespace: resource.kind.namespaced ? info.namespace : '', name: info.pathName }
}

export function writeRequestOf(call: Call, options: WriteOptions): WriteRequest {
  const { exchange, info, services } = call
  return {
    user: exchange.user,
    subresource: info.subresource,
    fieldManager: options.fieldManager || managerFromUserAgent(exchange.request.headers['user-agent']),
    fieldValidation: options.fieldValidation,
    dryRun: options.dryRun,
    signal: exchange.request.signal,
    warn: (text) => exchange.warn(text),
    authorize: (attributes: ResourceAttributes): Decision | Promise<Decision> =>
      services.authorizer.authorize(attributes),
  }
}
