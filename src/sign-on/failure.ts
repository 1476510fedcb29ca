export type FailureCode =
  /** The provider does not answer, or not in time. */
  | 'unavailable'
  /** The provider's answer is larger, or nested deeper, than those that the platform reads. */
  | 'unreadable'
  /** The user declined at the provider. */
  | 'canceled'
  /** The provider refuses the user, or the platform. */
  | 'refused'
  /** The response does not answer the request. */
  | 'untrusted'
  /** The browser returned too late, twice, or without having been sent. */
  | 'expired'
  /** The connector does not exist, or is disabled. */
  | 'unknown'
  /** The connector is not set up correctly. */
  | 'misconfigured'
  /** An allow-list of the connector excludes the user, or the provider no longer has the user. */
  | 'not-allowed'
  /** There is no User for this identity, and none is to be created. */
  | 'no-account'
  /** The connector has as many users as it may have, and this one is new. */
  | 'no-room'
  | 'locked'
  /** The name does not exist, the password is wrong, or the account is locked: it is not revealed which. */
  | 'wrong-password'
  /** More than one User claims the identity. */
  | 'ambiguous'
  /** The application is unknown, or wants to send the user to a URL that is not allowed. */
  | 'untrusted-application'
  | 'too-many'
  /** The browser does not report where a form came from. */
  | 'old-browser'

/** Why a sign-in failed. The code is for the user; the message is for the log, and contains no secrets. */
export class SignOnFailure extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.name = 'SignOnFailure'
    this.code = code
  }
}
