export type FailureCode =
  /** The provider does not answer, or not in time. */
  | 'unavailable'
  /** The user has said no, at the provider. */
  | 'canceled'
  /** The provider refuses the user, or the platform. */
  | 'refused'
  /** What came back is not the answer to what was asked. */
  | 'untrusted'
  /** The browser came back too late, twice, or without having been sent. */
  | 'expired'
  /** No such connector, or it is switched off. */
  | 'unknown'
  /** The connector is not set up correctly. */
  | 'misconfigured'
  /** An allow-list of the connector leaves the user out, or the user is gone from the provider. */
  | 'not-allowed'
  /** There is no User for this identity, and none is to be created. */
  | 'no-account'
  | 'locked'
  /** There is no such name, the password is another, or the account is shut: which of these is not told. */
  | 'wrong-password'
  /** More than one User claims the identity. */
  | 'ambiguous'
  /** The application is not known, or asks to send the user to an address that is not allowed. */
  | 'untrusted-application'
  | 'too-many'
  /** The browser does not say from where a form was sent. */
  | 'old-browser'

/** Why a sign-in came to nothing. The code is for the user; the message is for the log, and holds no secrets. */
export class SignOnFailure extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.name = 'SignOnFailure'
    this.code = code
  }
}
