import { asMembers, asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { printable } from '../claims/printable.ts'
import { SignOnFailure } from '../failure.ts'
import type { LimitedFetch } from '../fetch/limited-fetch.ts'

type Json = Readonly<Record<string, unknown>>

const pageSize = 100
const mostPages = 10

/** What GitHub says about the owner of a token. */
export class GithubApi {
  readonly #url: string
  readonly #fetch: LimitedFetch

  constructor(url: string, fetch: LimitedFetch) {
    this.#url = url
    this.#fetch = fetch
  }

  async user(token: string, signal: AbortSignal): Promise<Json> {
    const user = await this.#get('/user', token, signal)
    if (isJsonObject(user)) return user
    throw new SignOnFailure('untrusted', 'GitHub did not say who the user is')
  }

  /** All pages of a list, up to a limit. Items that are not objects are omitted. */
  async list(path: string, token: string, signal: AbortSignal): Promise<readonly Json[]> {
    const found: Json[] = []
    for (let page = 1; page <= mostPages; page += 1) {
      const query = `${path.includes('?') ? '&' : '?'}per_page=${pageSize}&page=${page}`
      const items = await this.#get(path + query, token, signal)
      if (!Array.isArray(items)) throw new SignOnFailure('untrusted', `GitHub answered ${path} without a list`)
      found.push(...items.slice(0, pageSize).filter(isJsonObject))
      if (items.length < pageSize) break
    }
    return found
  }

  /** Whether the server is GitHub at all. */
  async reach(signal: AbortSignal): Promise<void> {
    const { status } = await this.#ask('/', {}, signal)
    if (status >= 500 || status === 404) throw new SignOnFailure('unavailable', `${this.#url} answered ${status}`)
  }

  async #get(path: string, token: string, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#ask(path, { authorization: `Bearer ${token}` }, signal)
    if (answer.ok) return answer.json()
    throw await refusalOf(answer, path)
  }

  #ask(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    const always = {
      accept: 'application/vnd.github+json',
      'user-agent': 'tenant-platform',
      'x-github-api-version': '2022-11-28',
    }
    return this.#fetch(this.#url + path, { method: 'GET', headers: { ...always, ...headers }, signal })
  }
}

/**
 * An invalid token, or a user who is suspended or has exceeded their own request limit, concerns only this user: one
 * who has left could otherwise stay signed in by calling GitHub too often. Any other refusal may be temporary.
 */
async function refusalOf(answer: Response, path: string): Promise<SignOnFailure> {
  const body: unknown = await answer.json().catch(() => undefined)
  const message = asText(asMembers(body).message)
  const isOfUser = /suspended|rate limit exceeded for user/i.test(message)
  const isOver = answer.status === 401 || ([403, 429].includes(answer.status) && isOfUser)
  const [place = ''] = path.split('?')
  return new SignOnFailure(
    isOver ? 'refused' : 'unavailable',
    printable(`GitHub answered ${place} with ${answer.status}`),
  )
}
