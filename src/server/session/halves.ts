import { isSessionHalf, type SessionHalves } from '../../auth/keys/values/session-value.ts'
import { headerOf, type Request } from '../http.ts'
import { readSessionCookie } from './cookie.ts'

/** The header in which a page of this origin sends the half of its session that no other page has. */
export const counterpartHeader = 'tenant-session'

/** The session credentials of a request. */
export type RequestSession =
  /** A cookie alone proves nothing: browsers send it to every port, and every port may have set it. */
  | { readonly form: 'none' }
  | { readonly form: 'malformed' }
  | { readonly form: 'halves'; readonly halves: SessionHalves }

export function readSession(request: Request): RequestSession {
  const counterpart = headerOf(request, counterpartHeader)
  if (counterpart === undefined) return { form: 'none' }
  const handle = readSessionCookie(headerOf(request, 'cookie'))
  if (handle === undefined || !isSessionHalf(handle) || !isSessionHalf(counterpart)) return { form: 'malformed' }
  return { form: 'halves', halves: { handle, counterpart } }
}
