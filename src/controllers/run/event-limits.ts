import type { Clock } from '../../base/clock.ts'
import { TokenBucket } from '../../base/token-bucket.ts'

/** What an Event reports about an object. */
export interface News {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

interface Similar {
  readonly messages: Set<string>
  readonly lastMs: number
}

/** How many Events about one object at once, and then one every five minutes. */
const burst = 25
const perSecond = 1 / 300

/**
 * This many different messages for one reason, each within this time of the last one, get separate Events; further ones
 * share an Event.
 */
const mostSimilar = 9
const similarMs = 600_000

/** The start of a shared Event's message. */
export const combinedPrefix = '(combined from similar events): '

const mostRemembered = 4_096

/** Keeps a workload that changes quickly from filling the store with Events, with the limits of Kubernetes. */
export class EventLimits {
  readonly #clock: Clock
  readonly #buckets = new Map<string, TokenBucket>()
  readonly #similar = new Map<string, Similar>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Undefined: no Event is written. */
  admit(uid: string, news: News): News | undefined {
    const told = this.#combined(uid, news)
    const bucket = remembered(this.#buckets, uid, () => {
      return new TokenBucket({ burst, perSecond, now: () => this.#clock.now() })
    })
    return bucket.take() ? told : undefined
  }

  #combined(uid: string, news: News): News {
    const key = `${uid}/${news.type}/${news.reason}`
    const nowMs = this.#clock.now()
    const known = this.#similar.get(key)
    const messages = known !== undefined && nowMs - known.lastMs <= similarMs ? known.messages : new Set<string>()
    this.#similar.delete(key)
    remembered(this.#similar, key, () => ({ messages, lastMs: nowMs }))
    if (messages.has(news.message)) return news
    if (messages.size >= mostSimilar) return { ...news, message: `${combinedPrefix}${news.message}` }
    messages.add(news.message)
    return news
  }
}

function remembered<T>(map: Map<string, T>, key: string, make: () => T): T {
  const value = map.get(key) ?? make()
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.size > mostRemembered ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
  return value
}
