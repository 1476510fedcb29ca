import { backupPath } from '../../api/backup-path.ts'
import { tooManyRequests } from '../../api/error.ts'
import type { Exchange } from '../exchange.ts'
import type { Limits } from '../limits.ts'
import type { RequestInfo } from '../request/request-info.ts'
import type { LevelName, RequestFlow } from './contract.ts'

/** As in kube-apiserver: requests that last as long as the client wants. */
const endlessSubresources: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy'])

/** A request that ends does not become long-running just because a header asks for an upgrade. */
export function isLongRunning({ info, request, mayUpgrade, isEndless }: Exchange): boolean {
  return isEndless || (mayUpgrade && request.upgrade !== undefined) || asksForEndless(info)
}

/** Whether a request without an upgrade lasts as long as the client wants. */
export function asksForEndless(info: RequestInfo): boolean {
  if (info.form === 'path') return info.path === backupPath
  return info.verb === 'watch' || endlessSubresources.has(info.subresource)
}

/** Here, many share an owner: a key for all virtual clusters, a replica for all of its callers. */
const withoutLimitPerOwner: ReadonlySet<LevelName> = new Set(['administrators', 'links', 'relayed'])

/** Open requests of callers that take no place: watches, links, and streams to upstreams. */
export class LongRunning {
  readonly #limits: Pick<Limits, 'maxOpen' | 'maxOpenPerCaller'>
  readonly #openOf = new Map<string, number>()
  #open = 0
  /** Those of owners with a limit. The others may have as many again. */
  #openOfLimited = 0

  constructor(limits: Pick<Limits, 'maxOpen' | 'maxOpenPerCaller'>) {
    this.#limits = limits
  }

  get size(): number {
    return this.#open
  }

  /** The returned function ends the request. */
  begin({ level, owner }: RequestFlow): () => void {
    const isLimited = !withoutLimitPerOwner.has(level)
    const name = isLimited ? owner : ''
    if (isLimited) this.#requireRoomFor(name)
    const together = isLimited ? this.#openOfLimited : this.#open - this.#openOfLimited
    if (together >= this.#limits.maxOpen) throw tooMany('too many watches and streams are open on this server')
    this.#add(name, 1)
    return () => this.#add(name, -1)
  }

  #requireRoomFor(owner: string): void {
    const { maxOpenPerCaller: most } = this.#limits
    if ((this.#openOf.get(owner) ?? 0) >= most) throw tooMany(`you have ${most} watches and streams open already`)
  }

  #add(owner: string, change: 1 | -1): void {
    this.#open += change
    if (owner === '') return
    this.#openOfLimited += change
    const open = (this.#openOf.get(owner) ?? 0) + change
    if (open === 0) this.#openOf.delete(owner)
    else this.#openOf.set(owner, open)
  }
}

function tooMany(message: string) {
  return tooManyRequests(`${message}: end some of them, or try again later`, 1)
}
