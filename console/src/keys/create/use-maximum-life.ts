import { useAsked } from '../../fetched/use-asked.ts'
import { timeOf } from '../../format/time.ts'
import { useManagement } from '../../session/session-context.tsx'
import { createKey, newKey } from '../key-requests.ts'

/**
 * How many seconds a key without an end would live, found by a dry run; undefined if there is no maximum, or it is not
 * known: the review of the key shows it in any case.
 */
export function useMaximumLife(): number | undefined {
  const management = useManagement()
  const asked = useAsked({
    queryKey: ['maximum life'],
    queryFn: async () => {
      const { metadata, status } = (await createKey(management, newKey(management, '', {}), true)).value
      const [bornMs, endMs] = [timeOf(metadata.creationTimestamp), timeOf(status?.expiresAt)]
      return bornMs === undefined || endMs === undefined ? null : Math.round((endMs - bornMs) / 1000)
    },
    retry: false,
  })
  return asked.state === 'known' ? (asked.value ?? undefined) : undefined
}
