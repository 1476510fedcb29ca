import type { Clock } from '../../base/clock.ts'
import { openText, sealText } from '../stored/sealing.ts'
import type { AuthorizationRequest } from './authorization-request.ts'

/** Nothing else that is sealed with the same key begins with this. */
const mark = 'oidc-authorization\n'
const validForMs = 30 * 60_000
/** What a replica of the previous version omits. */
const unasked = { isSilent: false, asksConsent: false, hintedUser: '' }

/** A checked request, on its way through the browser to the page that asks the user. */
export function sealRequest(request: AuthorizationRequest, key: Uint8Array, clock: Clock): Promise<string> {
  return sealText(mark + JSON.stringify({ request, untilMs: clock.now() + validForMs }), key)
}

/** Undefined: it was not sealed here, or too long ago. */
export async function openRequest(
  sealed: string,
  key: Uint8Array,
  clock: Clock,
): Promise<AuthorizationRequest | undefined> {
  const text = await openText(sealed, key)
  if (text?.startsWith(mark) !== true) return undefined
  const { request, untilMs }: { request: AuthorizationRequest; untilMs: number } = JSON.parse(text.slice(mark.length))
  return clock.now() < untilMs ? { ...unasked, ...request } : undefined
}
