import { rightsAskedEveryMs } from '../api/access-review.ts'
import { nameOf, projectOf, type VirtualCluster } from '../api/objects.ts'
import { pathOf } from '../api/path.ts'
import { isCode } from '../api/problem.ts'
import { requireReadable } from '../api/readable.ts'
import { askTenant } from '../api/tenant-answer.ts'
import type { Fetched } from '../fetched/fetched.ts'
import { useAsked } from '../fetched/use-asked.ts'
import { type ServedType, type SyncedKind, type SyncedObject, type SyncState, syncStateOf } from './sync-shape.ts'

const askEveryMs = 5_000

/** The path to the API of a virtual cluster through the platform. */
export function proxyPath(virtualCluster: VirtualCluster, path: string): string {
  return `${pathOf('kubernetes', 'project', projectOf(virtualCluster), 'virtualcluster', nameOf(virtualCluster))}${path}`
}

/**
 * The state of every object according to the syncer of a linked virtual cluster. It cannot be watched, so it is polled
 * every few seconds.
 */
export function useSyncState(virtualCluster: VirtualCluster): Fetched<SyncState> {
  const place = proxyPath(virtualCluster, '')
  const path = '/debug/sync'
  return useAsked({
    queryKey: ['sync-state', place],
    queryFn: async ({ client }) => {
      await requireReadable(client, { place, path })
      return askTenant(`${place}${path}`, syncStateOf)
    },
    refetchInterval: ({ state }) => {
      if (isCode(state.error, 404)) return false
      return isCode(state.error, 401, 403) ? rightsAskedEveryMs : askEveryMs
    },
    retry: false,
  })
}

export function countsOf({ kinds = [] }: SyncState): Readonly<Record<SyncedObject['state'], number>> {
  const sum = { 'in-step': 0, waiting: 0, failing: 0 }
  for (const { counts } of kinds)
    for (const state of ['in-step', 'waiting', 'failing'] as const) sum[state] += counts[state]
  return sum
}

/** Undefined until both clusters serve the kind. */
export function servedTypeOf({ group, version, resource }: SyncedKind): ServedType | undefined {
  if (group === undefined || version === undefined || resource === undefined) return undefined
  return { group, version, resource }
}
