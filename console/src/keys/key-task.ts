import type { AccessKey } from '../api/objects.ts'

/** An action on a key. */
export interface KeyTask {
  readonly type: 'disable' | 'enable' | 'rotate' | 'delete'
  readonly key: AccessKey
}
