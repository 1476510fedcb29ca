import { useMemo } from 'react'
import type { AccessKey } from '../api/objects.ts'
import type { Snapshot } from '../live/collection.ts'
import { useLive } from '../live/use-live.ts'
import { useManagement } from '../session/session-context.tsx'
import { useMapped } from '../table/use-mapped.ts'
import { type KeyRow, keyRowOf } from './key-row.ts'

/** Without sessions, which are shown apart. */
export function useKeys(): Snapshot<AccessKey> & { readonly rows: readonly KeyRow[] } {
  const snapshot = useKeysAndSessions()
  const all = useMapped(snapshot.objects, keyRowOf)
  const rows = useMemo(() => all.filter(({ type }) => type !== 'Login'), [all])
  return { ...snapshot, rows }
}

/** One collection for both: the platform would have to read every key to tell them apart. */
export function useKeysAndSessions(): Snapshot<AccessKey> {
  return useLive<AccessKey>(useManagement().path('ownedaccesskeys'))
}
