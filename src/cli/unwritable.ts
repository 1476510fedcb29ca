import { errorText } from '../base/error-text.ts'

/** Names the file that the system does not let this process write, and the way to another; all other errors stay as they are. */
export function unwritable(file: string, error: unknown, another: string): unknown {
  const isOfSystem = error instanceof Error && 'syscall' in error
  return isOfSystem ? new Error(`cannot write ${file}: ${errorText(error)}; ${another}`) : error
}
