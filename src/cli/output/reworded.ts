/**
 * The error in other words, also where a later error repeats its message and names it as the cause; the error itself if
 * there are none.
 */
export function reworded(error: unknown, wordsFor: (error: Error) => string | undefined): unknown {
  if (!(error instanceof Error)) return error
  const own = wordsFor(error)
  if (own !== undefined) return new Error(own)
  const cause = reworded(error.cause, wordsFor)
  if (!(cause instanceof Error) || !(error.cause instanceof Error) || cause === error.cause) return error
  return new Error(error.message.replace(error.cause.message, () => cause.message))
}
