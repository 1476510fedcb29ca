import type { AccessKey } from '../api/objects.ts'

/** What the user wants to do with a key. */
export interface KeyTask {
  readonly type: 'disable' | 'enable' | 'rotate' | 'delete'
  readonly key: AccessKey
}
