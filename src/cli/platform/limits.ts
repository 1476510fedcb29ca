/** How long people wait for a platform before they are told that something is wrong. */
export const answerTimeoutMs = 60_000
/** A page of a list is the longest. */
export const maxAnswerBytes = 32 * 1024 * 1024
/** Of all pages that a command keeps. */
export const maxAllBytes = 256 * 1024 * 1024
