import { useAsked } from '../../fetched/use-asked.ts'
import { timeOf } from '../../format/time.ts'
import { useManagement } from '../../session/session-context.tsx'
import { createKey, newKey } from '../key-requests.ts'

/**
 * How many seconds a key that asks for no end would live, by trying to create one; undefined when there is no maximum, or
 * none is known: the review of the key says it in any case.
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
