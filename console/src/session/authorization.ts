import type { Management } from '../api/management.ts'
import { ask } from '../api/request.ts'

const place = 'tenant-authorization'
const page = '/authorize'

/** What an application asks the user for. */
export interface Authorization {
  readonly client: string
  readonly user: string
  readonly scopes: readonly string[]
  readonly asksUser: boolean
  readonly signInAgain?: boolean
  readonly location?: string
}

/** The question with which an application has sent the browser here. It stays with this tab while the user signs in. */
export function takeAuthorizationRequest(): void {
  if (location.pathname !== page || location.hash === '' || location.hash.startsWith('#sign-on=')) return
  sessionStorage.setItem(place, location.hash.slice(1))
  history.replaceState(history.state, '', page)
}

export function authorizationRequest(): string | undefined {
  return sessionStorage.getItem(place) ?? undefined
}

export async function askAuthorization(
  management: Management,
  request: string,
  decision: '' | 'allow' | 'deny',
): Promise<Authorization> {
  const { apiVersion } = management
  const body = { apiVersion, kind: 'ClientAuthorization', spec: { request, decision } }
  const path = management.path('clientauthorizations')
  return (await ask<{ readonly status: Authorization }>(path, { method: 'POST', body })).status
}

/** The user leaves, and the question is answered. */
export function leaveTo(address: string): void {
  sessionStorage.removeItem(place)
  location.assign(address)
}
