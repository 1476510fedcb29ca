/** A failure does not hold up the others: the first error is thrown after all have been tried. */
export async function tryAll<T>(all: readonly T[], act: (each: T) => Promise<void>): Promise<void> {
  const errors: unknown[] = []
  for (const each of all) await act(each).catch((error: unknown) => errors.push(error))
  for (const error of errors) throw error
}
