import { backupPath } from './backup-path.ts'
import { rotationPath } from './rotation.ts'

/**
 * For administrators alone, with a credential of their own: a right to paths is not enough, and scopes of access keys never include
 * them. One hands out all Secrets and the keys that sign, the other takes away what clients trust.
 */
export const administratorPaths: ReadonlySet<string> = new Set([backupPath, rotationPath])
