import { ask } from '../api/request.ts'

/** A way to sign in without an access key. */
export interface SignOnWay {
  readonly name: string
  readonly displayName: string
}

const verifierPlace = 'tenant-sign-on'
const fragment = '#sign-on='

export async function signOnWays(): Promise<readonly SignOnWay[]> {
  const { connectors } = await ask<{ readonly connectors: readonly SignOnWay[] }>('/auth/connectors')
  return connectors
}

/**
 * Leaves for the identity provider. The returned code is valid only together with a secret that this tab keeps, so that
 * no other page can sign a user in here.
 */
export async function leaveToSignOn(name: string): Promise<void> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
  sessionStorage.setItem(verifierPlace, verifier)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const query = new URLSearchParams({
    connector: name,
    challenge: base64url(new Uint8Array(digest)),
    return: `${location.pathname}${location.search}`,
  })
  location.assign(`/auth/login?${query}`)
}

/**
 * The code of a sign-in that this page was opened with, and the secret it needs. It is removed from the address at
 * once.
 */
export interface ReturnedCode {
  readonly code: string
  readonly verifier: string
}

export function takeReturnedCode(): ReturnedCode | undefined {
  if (!location.hash.startsWith(fragment)) return undefined
  const code = location.hash.slice(fragment.length)
  history.replaceState(history.state, '', `${location.pathname}${location.search}`)
  const verifier = sessionStorage.getItem(verifierPlace) ?? ''
  sessionStorage.removeItem(verifierPlace)
  return { code, verifier }
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (each) => ({ '+': '-', '/': '_' })[each] ?? '')
}
