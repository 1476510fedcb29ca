import { constants } from 'node:os'

const { ENOSPC, EDQUOT } = constants.errno
const codes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', ENOSPC, EDQUOT])

/** Whether a write failed because its disk, or a quota on it, is full. Native libraries report the number of the error. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codes.has(error.code)
}
