import { ResultCodeError } from 'ldapts'
import { printable } from '../claims/printable.ts'
import { SignOnFailure } from '../failure.ts'

/** Result codes that mean that a password does not admit the user, for whatever reason. */
const refusedPassword: ReadonlySet<number> = new Set([19, 48, 49, 50, 53])
/** Result codes that mean that the directory does not know what was asked for, or does not allow the platform to ask. */
const misconfigured: ReadonlySet<number> = new Set([8, 13, 16, 17, 18, 21, 32, 34, ...refusedPassword])

/** Classifies the failure of a directory. The directory's own texts are omitted: they may repeat what was sent to it. */
export function directoryFailure(error: unknown): SignOnFailure {
  if (error instanceof SignOnFailure) return error
  if (error instanceof ResultCodeError) {
    const code = misconfigured.has(error.code) ? 'misconfigured' : 'unavailable'
    return new SignOnFailure(code, `the directory answered ${printCode(error.code)}`)
  }
  return new SignOnFailure('unavailable', error instanceof Error ? printable(error.message) : 'no answer')
}

/** The same for the platform's own bind or search, with what to check if the connector is at fault. */
export function ownFailure(error: unknown, toCheck: string): SignOnFailure {
  const { code, message } = directoryFailure(error)
  return new SignOnFailure(code, code === 'misconfigured' ? `${message}: check ${toCheck}` : message)
}

/** The same for the bind of a user. */
export function bindFailure(error: unknown): SignOnFailure {
  if (error instanceof ResultCodeError && refusedPassword.has(error.code)) {
    return new SignOnFailure('wrong-password', `the directory answered ${printCode(error.code)}${reasonIn(error)}`)
  }
  return directoryFailure(error)
}

const names: Readonly<Record<number, string>> = {
  8: 'strongerAuthRequired',
  10: 'referral',
  13: 'confidentialityRequired',
  19: 'constraintViolation',
  32: 'noSuchObject',
  34: 'invalidDNSyntax',
  48: 'inappropriateAuthentication',
  49: 'invalidCredentials',
  50: 'insufficientAccessRights',
  51: 'busy',
  52: 'unavailable',
  53: 'unwillingToPerform',
}

function printCode(code: number): string {
  return names[code] === undefined ? `code ${code}` : `code ${code} (${names[code]})`
}

const activeDirectoryReasons: Readonly<Record<string, string>> = {
  '52e': 'wrong password',
  '530': 'not at this time',
  '532': 'password expired',
  '533': 'account disabled',
  '701': 'account expired',
  '773': 'password must be changed',
  '775': 'account locked out',
}

/** Active Directory gives the reason as a number in its text. */
function reasonIn({ message }: ResultCodeError): string {
  const reason = activeDirectoryReasons[/, data ([0-9a-f]{3}), /.exec(message)?.[1] ?? '']
  return reason === undefined ? '' : `: ${reason}`
}
