import { type ApiError, forbiddenPath, refusedBy } from '../../api/error.ts'
import { headerOf, type Request } from '../http.ts'

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses requests that another site's page may have made the browser send with the session. Reading is harmless,
 * because no other site can see the answer; every change, and every bidirectional stream, must come from a page of this
 * server.
 */
export function requireSameOrigin(request: Request): void {
  if (isRead(request) || isSameOrigin(request)) return
  throw otherOrigin(
    'a request with a session cookie must come from a page of this server: its Origin is missing or is another',
  )
}

/** Programs other than browsers send no origin. */
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

/** `Sec-Fetch-Site`, which the browser itself sets, takes precedence over the origin of the page. */
function isSameOrigin(request: Request): boolean {
  const site = headerOf(request, 'sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = headerOf(request, 'origin')
  const host = headerOf(request, ':authority') ?? headerOf(request, 'host')
  return origin !== undefined && host !== undefined && origin.toLowerCase() === `https://${host.toLowerCase()}`
}
