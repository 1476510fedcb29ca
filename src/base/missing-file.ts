/** Whether what failed was to find a file. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** For `catch`: undefined for a file that is not there. */
export function ignoreMissingFile(error: unknown): undefined {
  if (!isMissingFile(error)) throw error
}
