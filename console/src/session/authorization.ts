import type { Management } from '../api/management.ts'
import { isCode } from '../api/problem.ts'
import { ask } from '../api/request.ts'

const place = 'tenant-authorization'
const silentPlace = 'tenant-authorization-silent'
const notSignedInPath = '/oidc/not-signed-in'
const page = '/authorize'

/** The access that an application requests from the user. */
export interface Authorization {
  readonly client: string
  readonly user: string
  readonly scopes: readonly string[]
  readonly asksUser: boolean
  readonly signInAgain?: boolean
  readonly location?: string
}

/** The request with which an application sent the browser here. It stays with this tab while the user signs in. */
export function takeAuthorizationRequest(): void {
  if (location.pathname !== page || location.hash === '' || location.hash.startsWith('#sign-on=')) return
  sessionStorage.setItem(place, location.hash.slice(1))
  const isSilent = new URLSearchParams(location.search).get('prompt') === 'none'
  if (isSilent) sessionStorage.setItem(silentPlace, '1')
  else sessionStorage.removeItem(silentPlace)
  history.replaceState(history.state, '', page)
}

export function authorizationRequest(): string | undefined {
  return sessionStorage.getItem(place) ?? undefined
}

/** Where to redirect without a session, if the application asked not to prompt the user. */
export function silentRefusal(): string | undefined {
  const request = authorizationRequest()
  const isSilent = location.pathname === page && sessionStorage.getItem(silentPlace) !== null
  return isSilent && request !== undefined ? `${notSignedInPath}?${new URLSearchParams({ request })}` : undefined
}

export async function askAuthorization(
  management: Management,
  request: string,
  decision: '' | 'allow' | 'deny',
): Promise<Authorization> {
  const { apiVersion } = management
  const body = { apiVersion, kind: 'ClientAuthorization', spec: { request, decision } }
  const path = management.path('clientauthorizations')
  try {
    return (await ask<{ readonly status: Authorization }>(path, { method: 'POST', body })).status
  } catch (problem) {
    // A session that may not sign its user in to applications counts as none.
    const refusal = isCode(problem, 403) ? silentRefusal() : undefined
    if (refusal === undefined) throw problem
    return { client: '', user: '', scopes: [], asksUser: false, location: refusal }
  }
}

/** The request is answered, and the user leaves. */
export function leaveTo(address: string): void {
  sessionStorage.removeItem(place)
  sessionStorage.removeItem(silentPlace)
  location.assign(address)
}
