/** Why a caller gets no connection key: its credential cannot make any. The caller uses that credential itself. */
export const makesNoneReason = 'CredentialMakesNoConnectionKeys'
