/** Why a connection key is refused to a caller that is known by something that makes none. It is the caller's own credential. */
export const makesNoneReason = 'CredentialMakesNoConnectionKeys'
