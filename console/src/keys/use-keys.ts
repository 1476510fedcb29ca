import { useMemo } from 'react'
import type { AccessKey } from '../api/objects.ts'
import type { Snapshot } from '../live/collection.ts'
import { useLive } from '../live/use-live.ts'
import { useManagement } from '../session/session-context.tsx'
import { type KeyRow, keyRowOf } from './key-row.ts'

export function useKeys(): Snapshot<AccessKey> & { readonly rows: readonly KeyRow[] } {
  const snapshot = useLive<AccessKey>(useManagement().path('ownedaccesskeys'))
  const { objects } = snapshot
  const rows = useMemo(() => objects.map(keyRowOf), [objects])
  return { ...snapshot, rows }
}
