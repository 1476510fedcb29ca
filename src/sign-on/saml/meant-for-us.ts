import { SignOnFailure } from '../failure.ts'
import type { Assertion, SubjectConfirmation } from './assertion.ts'
import { untrusted } from './xml.ts'

/** What an assertion must contain for this platform to accept it. */
export interface ExpectedAssertion {
  readonly issuer: string
  /** The platform's name at the provider. */
  readonly audience: string
  readonly recipient: string
  /** The request with which this browser was sent. */
  readonly requestId: string
  readonly nowMs: number
  readonly skewMs: number
}

/** An assertion is remembered until it ends, so its lifetime must be limited. */
const longestMs = 24 * 60 * 60_000

/** Throws unless the assertion is for this platform, valid now, and in answer to this request. Returns when it ends. */
export function requireExpected(assertion: Assertion, expected: ExpectedAssertion): number {
  if (assertion.id === '') throw untrusted('the assertion has no ID')
  if (assertion.issuer !== expected.issuer) throw untrusted('the assertion is that of another issuer')
  requireAudience(assertion, expected)
  requireNow(assertion, expected, 'the assertion')
  const confirmation = assertion.confirmations.find(
    ({ recipient, inResponseTo }) => recipient === expected.recipient && inResponseTo === expected.requestId,
  )
  if (confirmation === undefined) throw unconfirmed(assertion, expected)
  requireNow(confirmation, expected, 'the confirmation of the subject')
  const { sessionEndMs = Number.POSITIVE_INFINITY } = assertion
  if (sessionEndMs + expected.skewMs <= expected.nowMs) throw over('the session at the provider')
  return endOf(assertion, confirmation, expected)
}

function requireAudience({ audiences }: Assertion, { audience }: ExpectedAssertion): void {
  if (audiences.length === 0) throw untrusted('the assertion does not say for whom it is')
  if (!audiences.every((list) => list.includes(audience))) throw untrusted('the assertion is for another audience')
}

function requireNow(
  {
    notBeforeMs = Number.NEGATIVE_INFINITY,
    notOnOrAfterMs = Number.POSITIVE_INFINITY,
  }: SubjectConfirmation | Assertion,
  { nowMs, skewMs }: ExpectedAssertion,
  what: string,
): void {
  if (notBeforeMs - skewMs > nowMs) throw untrusted(`${what} is of the future: the clocks differ`)
  if (notOnOrAfterMs + skewMs <= nowMs) throw over(what)
}

function over(what: string): SignOnFailure {
  return new SignOnFailure('expired', `${what} is over`)
}

/** The distinction helps the operator: a wrong recipient is a matter of configuration, a wrong request is not. */
function unconfirmed({ confirmations }: Assertion, { recipient }: ExpectedAssertion): SignOnFailure {
  if (confirmations.length === 0) throw untrusted('the assertion has no subject confirmation')
  const isOurs = confirmations.some((confirmation) => confirmation.recipient === recipient)
  return isOurs
    ? new SignOnFailure('expired', 'the assertion is the answer to another sign-in, or to none')
    : untrusted('the assertion is for another recipient')
}

function endOf(assertion: Assertion, confirmation: SubjectConfirmation, { nowMs, skewMs }: ExpectedAssertion): number {
  const endMs = confirmation.notOnOrAfterMs
  if (endMs === undefined) throw untrusted('the confirmation of the subject has no end')
  const lastMs = Math.min(endMs, assertion.notOnOrAfterMs ?? endMs) + skewMs
  if (lastMs - nowMs > longestMs) throw untrusted('the assertion is good for more than a day')
  return lastMs
}
