import { useMemo } from 'react'
import type { AccessKey } from '../api/objects.ts'
import { type Fetched, itemsOf, listFrom } from '../fetched/fetched.ts'
import { useLive } from '../live/use-live.ts'
import { useManagement } from '../session/session-context.tsx'
import { useMapped } from '../table/use-mapped.ts'
import { type KeyRow, keyRowOf } from './key-row.ts'

/** Without sessions, which are shown separately. */
export function useKeys(): Fetched<readonly KeyRow[]> {
  const all = useKeysAndSessions()
  const rows = useMapped(itemsOf(all), keyRowOf)
  return useMemo(() => listFrom(all, () => rows.filter(({ type }) => type !== 'Login')), [all, rows])
}

/** One collection for both: the platform would have to read every key to distinguish them. */
export function useKeysAndSessions(): Fetched<readonly AccessKey[]> {
  return useLive<AccessKey>(useManagement().path('ownedaccesskeys'))
}
