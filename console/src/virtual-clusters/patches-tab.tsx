import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { VirtualCluster } from '../api/objects.ts'
import { askTenantText } from '../api/tenant-answer.ts'
import { buttonClass } from '../parts/button.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { useManagement } from '../session/session-context.tsx'
import { SimpleTable } from '../table/simple-table.tsx'
import { reviewConfig } from './config-review.ts'
import { patchesIn, patchInShort } from './configured-patches.ts'
import { patchCounts } from './patch-counts.ts'
import { proxyPath } from './sync-state.ts'

/** The patches of the configuration, with what they have done so far. */
export function PatchesTab({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  const management = useManagement()
  const config = virtualCluster.spec?.config ?? ''
  const { data, error } = useQuery({ queryKey: ['config', config], queryFn: () => reviewConfig(management, config) })
  const metricsPath = proxyPath(virtualCluster, '/metrics')
  const { data: metrics = '' } = useQuery({
    queryKey: [metricsPath],
    queryFn: () => askTenantText(metricsPath),
    enabled: virtualCluster.status?.online === true,
    refetchInterval: 10_000,
    retry: false,
  })
  const counts = patchCounts(metrics)
  const patches = data?.config === undefined ? [] : patchesIn(data.config)
  return (
    <Panel
      title="Patches"
      actions={
        <Link to="/playground" className={buttonClass()}>
          Open the playground
        </Link>
      }
    >
      {error !== null && <ProblemNote problem={error} />}
      <SimpleTable
        label="Patches"
        headers={['Kind', 'Path', 'Does', 'Matched', 'Changed', 'Not found', 'Failed']}
        empty="The configuration has none. Try one out in the playground."
        rows={patches.map(({ kind, patch }, position) => {
          const count = counts.get(`${kind} ${patch.path}`)
          return {
            key: `${position} ${kind} ${patch.path}`,
            cells: [
              kind,
              <code key="path">{patch.path}</code>,
              <code key="does" className="inline-block min-w-48 break-all">
                {patchInShort(patch)}
              </code>,
              ...(['matched', 'changed', 'notFound', 'failed'] as const).map((result) =>
                String(count?.[result] ?? '–'),
              ),
            ],
          }
        })}
      />
    </Panel>
  )
}
