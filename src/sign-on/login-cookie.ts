import { EncryptJWT, jwtDecrypt } from 'jose'
import type { Clock } from '../base/clock.ts'
import type { ExpectedAnswer } from './contract.ts'
import { sealingMethod } from './sealing.ts'

/** A sign-in that was sent to a provider, as the browser keeps it. */
export interface PendingSignOn {
  readonly connector: string
  readonly connectorUid: string
  readonly expected: ExpectedAnswer
  readonly destination: Destination
}

export type Destination =
  | CodeDestination
  /** A command on another machine. Which one, the user says after the sign-in, by its code. */
  | { readonly kind: 'device' }

/** Who gets the code in the end. */
export type CodeDestination =
  /** A page of the console, which goes on at a path. */
  | { readonly kind: 'console'; readonly challenge: string; readonly path: string }
  /** A command on the machine of the browser, which listens on a port of loopback. */
  | CommandDestination

export interface CommandDestination {
  readonly kind: 'command'
  readonly challenge: string
  readonly port: number
  readonly state: string
  /** It tries a connector: no user is signed in. */
  readonly isTest: boolean
}

const cookieName = '__Host-tenant-sign-on'
const validForSeconds = 600
const attributes = 'Path=/; HttpOnly; Secure'

export const endedCookie = `${cookieName}=; Max-Age=0; ${attributes}; SameSite=Lax`

/** A page of the provider sends the browser back, so that the cookie has to come along from another site: with `Lax` not with a form. */
const sameSite = { query: 'Lax', form: 'None' } as const

/** Sealed, since the browser is to keep it and not to read it: nothing is stored for sign-ins that are never finished. */
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

/** Undefined: there is none, more than one, or it is too old or not ours. */
export async function readLoginCookie(
  header: string | undefined,
  key: Uint8Array,
  clock: Clock,
): Promise<PendingSignOn | undefined> {
  const values = (header ?? '').split(';').flatMap((pair) => {
    const [name, ...rest] = pair.trim().split('=')
    return name === cookieName ? [rest.join('=')] : []
  })
  const [sealed, another] = values
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
