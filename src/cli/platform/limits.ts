/** How long people wait for a platform before they get an error. */
export const answerTimeoutMs = 60_000
/** The longest answer is a page of a list. */
export const maxAnswerBytes = 32 * 1024 * 1024
/** The limit for all pages together that a command keeps in memory. */
export const maxAllBytes = 256 * 1024 * 1024
/** The same for pages of which little is kept. */
export const maxPassingBytes = 2 * 1024 * 1024 * 1024
