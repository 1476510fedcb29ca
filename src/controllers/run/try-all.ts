/** One that fails does not keep the others waiting: the first error is thrown when all were tried. */
export async function tryAll<T>(all: readonly T[], act: (each: T) => Promise<void>): Promise<void> {
  const errors: unknown[] = []
  for (const each of all) await act(each).catch((error: unknown) => errors.push(error))
  for (const error of errors) throw error
}
