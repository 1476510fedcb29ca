import { useMemo } from 'react'
import { type Fetched, listFrom } from '../../fetched/fetched.ts'
import { useKeysAndSessions } from '../use-keys.ts'
import { type SessionRow, sessionRowOf } from './session-row.ts'

export function useSessions(): Fetched<readonly SessionRow[]> {
  const all = useKeysAndSessions()
  return useMemo(
    () => listFrom(all, (keys) => keys.filter(({ spec }) => spec?.type === 'Login').map(sessionRowOf)),
    [all],
  )
}
