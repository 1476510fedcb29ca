import { useMemo } from 'react'
import type { AccessKey } from '../../api/objects.ts'
import type { Snapshot } from '../../live/collection.ts'
import { useKeysAndSessions } from '../use-keys.ts'
import { type SessionRow, sessionRowOf } from './session-row.ts'

export function useSessions(): Snapshot<AccessKey> & { readonly rows: readonly SessionRow[] } {
  const snapshot = useKeysAndSessions()
  const { objects } = snapshot
  const rows = useMemo(() => objects.filter(({ spec }) => spec?.type === 'Login').map(sessionRowOf), [objects])
  return { ...snapshot, rows }
}
