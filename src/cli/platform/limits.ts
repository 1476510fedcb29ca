/** How long people wait for a platform before they are told that something is wrong. */
export const answerTimeoutMs = 60_000
export const maxAnswerBytes = 256 * 1024 * 1024
