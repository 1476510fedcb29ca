export const sessionPath = '/auth/session'
/** Exchanges a code for an access key, for programs. */
export const tokenPath = '/auth/token'
/** Exchanges a machine's token for an access key. */
export const exchangePath = '/auth/exchange'

const apiRoots: ReadonlySet<string> = new Set(['api', 'apis', 'kubernetes', 'openapi', 'version', 'metrics'])

/**
 * Sessions are accepted only for the API. Pages are the same for all users, so a user whose session has ended still
 * gets the page to sign in with.
 */
export function takesSession(url: string): boolean {
  const end = url.slice(1).search(/[/?]/)
  return apiRoots.has(end < 0 ? url.slice(1) : url.slice(1, end + 1))
}
