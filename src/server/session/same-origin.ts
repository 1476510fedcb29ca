import { type ApiError, forbiddenPath, refusedBy } from '../../api/error.ts'
import { headerOf, type Request } from '../http.ts'

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses what a page of another site may have made the browser send along with the session. Reading is harmless, as no
 * other site gets to see the answer; anything that changes something, and every stream in both directions, has to come
 * from a page of this very server.
 */
export function requireSameOrigin(request: Request): void {
  if (isRead(request) || isSameOrigin(request)) return
  throw otherOrigin(
    'a request with a session cookie has to come from a page of this server: its Origin is missing or another one',
  )
}

/** Programs that are no browsers say nothing of where they come from. */
export function requireNotCrossOrigin(request: Request): void {
  const isSilent = headerOf(request, 'origin') === undefined && headerOf(request, 'sec-fetch-site') === undefined
  if (isSilent || isSameOrigin(request)) return
  throw otherOrigin('a session can only be started or ended from a page of this server')
}

function otherOrigin(problem: string): ApiError {
  return refusedBy('session', forbiddenPath(`forbidden: ${problem}`))
}

function isRead({ method, headers }: Request): boolean {
  return safeMethods.has(method) && headers.upgrade === undefined
}

/** What the browser itself says counts more than what it says of the page. */
function isSameOrigin(request: Request): boolean {
  const site = headerOf(request, 'sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = headerOf(request, 'origin')
  const host = headerOf(request, ':authority') ?? headerOf(request, 'host')
  return origin !== undefined && host !== undefined && origin.toLowerCase() === `https://${host.toLowerCase()}`
}
