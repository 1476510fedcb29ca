import { backupPath } from './backup-path.ts'
import { rotationPath } from './rotation.ts'

/**
 * Only for administrators with their own credentials: a right to paths is not enough, and scopes of access keys never
 * include them. One returns all Secrets and the signing keys, the other replaces what clients trust.
 */
export const administratorPaths: ReadonlySet<string> = new Set([backupPath, rotationPath])
