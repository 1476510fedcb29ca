import { EncryptJWT, jwtDecrypt } from 'jose'
import type { Clock } from '../base/clock.ts'
import { cookieValues } from '../server/session/cookie.ts'
import type { ExpectedAnswer } from './contract.ts'
import { sealingMethod } from './stored/sealing.ts'

/** A sign-in that was sent to a provider, as kept by the browser. */
export interface PendingSignOn {
  readonly connector: string
  readonly connectorUid: string
  readonly expected: ExpectedAnswer
  readonly destination: Destination
}

export type Destination =
  | CodeDestination
  /** A command on another machine. The user names it by its code after the sign-in. */
  | { readonly kind: 'device' }

/** Who finally gets the code. */
export type CodeDestination =
  /** A page of the console, which continues at a path. */
  | { readonly kind: 'console'; readonly challenge: string; readonly path: string }
  /** A command on the browser's machine, which listens on a loopback port. */
  | CommandDestination

export interface CommandDestination {
  readonly kind: 'command'
  readonly challenge: string
  readonly port: number
  readonly state: string
  /** A test of a connector: no user is signed in. */
  readonly isTest: boolean
}

const cookieName = '__Host-tenant-sign-on'
const validForSeconds = 600
const attributes = 'Path=/; HttpOnly; Secure'

export const endedCookie = `${cookieName}=; Max-Age=0; ${attributes}; SameSite=Lax`

/**
 * A page of the provider sends the browser back, so the cookie must be sent from another site: `Lax` does not allow
 * that with a form.
 */
const sameSite = { query: 'Lax', form: 'None' } as const

/** Sealed, since the browser must keep it but not read it: nothing is stored for sign-ins that are never finished. */
export async function printLoginCookie(
  pending: PendingSignOn,
  key: Uint8Array,
  clock: Clock,
  answersBy: 'query' | 'form' = 'query',
): Promise<string> {
  const nowSeconds = Math.floor(clock.now() / 1000)
  const sealed = await new EncryptJWT({ pending })
    .setProtectedHeader(sealingMethod)
    .setExpirationTime(nowSeconds + validForSeconds)
    .encrypt(key)
  return `${cookieName}=${sealed}; Max-Age=${validForSeconds}; ${attributes}; SameSite=${sameSite[answersBy]}`
}

/** Undefined: it is missing, repeated, too old or not ours. */
export async function readLoginCookie(
  header: string | undefined,
  key: Uint8Array,
  clock: Clock,
): Promise<PendingSignOn | undefined> {
  const [sealed, another] = cookieValues(header, cookieName)
  if (sealed === undefined || another !== undefined) return undefined
  try {
    const { payload } = await jwtDecrypt<{ readonly pending: PendingSignOn }>(sealed, key, {
      keyManagementAlgorithms: [sealingMethod.alg],
      contentEncryptionAlgorithms: [sealingMethod.enc],
      currentDate: new Date(clock.now()),
      requiredClaims: ['exp'],
    })
    return payload.pending
  } catch {
    return undefined
  }
}
