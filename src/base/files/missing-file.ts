/** Whether an error means that a file does not exist. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** For `catch`: undefined for a file that does not exist. */
export function ignoreMissingFile(error: unknown): undefined {
  if (!isMissingFile(error)) throw error
}
