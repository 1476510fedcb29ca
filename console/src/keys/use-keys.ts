import type { AccessKey } from '../api/objects.ts'
import type { Snapshot } from '../live/collection.ts'
import { useLive } from '../live/use-live.ts'
import { useManagement } from '../session/session-context.tsx'
import { useMapped } from '../table/use-mapped.ts'
import { type KeyRow, keyRowOf } from './key-row.ts'

export function useKeys(): Snapshot<AccessKey> & { readonly rows: readonly KeyRow[] } {
  const snapshot = useLive<AccessKey>(useManagement().path('ownedaccesskeys'))
  return { ...snapshot, rows: useMapped(snapshot.objects, keyRowOf) }
}
