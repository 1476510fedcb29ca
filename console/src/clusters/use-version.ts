import { type Cluster, nameOf } from '../api/objects.ts'
import { pathOf } from '../api/path.ts'
import { membersOf, textOf } from '../api/shape.ts'
import { askTenant } from '../api/tenant-answer.ts'
import type { Fetched } from '../fetched/fetched.ts'
import { useAsked } from '../fetched/use-asked.ts'

const askEveryMs = 30_000

/** The cluster's own answer through the platform: it shows that the cluster was reached. */
export function useVersion(cluster: Cluster): Fetched<string> {
  const path = `${pathOf('kubernetes', 'cluster', nameOf(cluster))}/version`
  return useAsked(
    {
      queryKey: [path],
      queryFn: () => askTenant(path, (value) => textOf(membersOf(value, 'it').gitVersion)),
      refetchInterval: askEveryMs,
      retry: false,
    },
    (version) => version === '',
  )
}
