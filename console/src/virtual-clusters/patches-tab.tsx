import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { rightsAskedEveryMs } from '../api/access-review.ts'
import { metricsOf } from '../api/metrics-text.ts'
import type { VirtualCluster } from '../api/objects.ts'
import { isCode } from '../api/problem.ts'
import { type Fetched, listFrom } from '../fetched/fetched.ts'
import { useAsked } from '../fetched/use-asked.ts'
import { buttonClass } from '../parts/button.tsx'
import { Panel } from '../parts/panel.tsx'
import { FailedInline } from '../parts/shown.tsx'
import { useManagement } from '../session/session-context.tsx'
import { SimpleTable } from '../table/simple-table.tsx'
import { type ConfigReview, reviewConfig } from './config-review.ts'
import { type ConfiguredPatch, patchesIn, patchInShort } from './configured-patches.ts'
import { type PatchCount, patchCounts } from './patch-counts.ts'
import { proxyPath } from './sync-state.ts'

const askEveryMs = 10_000

type Counts = ReadonlyMap<string, PatchCount>

/** The patches of the configuration, with their counts so far. */
export function PatchesTab({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  if (virtualCluster.status?.online === true) return <CountedPatches virtualCluster={virtualCluster} />
  return (
    <Patches virtualCluster={virtualCluster} counts={undefined}>
      The virtual cluster is not linked, so the results of its patches are not known.
    </Patches>
  )
}

function CountedPatches({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  const place = proxyPath(virtualCluster, '')
  const counts = useAsked<Counts>({
    queryKey: ['patch-counts', place],
    queryFn: async ({ client }) => patchCounts(await metricsOf(client, place)),
    refetchInterval: ({ state }) => (isCode(state.error, 401, 403) ? rightsAskedEveryMs : askEveryMs),
    structuralSharing: false,
    retry: false,
  })
  return (
    <Patches virtualCluster={virtualCluster} counts={counts.state === 'known' ? counts.value : undefined}>
      <CountsNote counts={counts} />
    </Patches>
  )
}

function CountsNote({ counts }: { readonly counts: Fetched<Counts> }) {
  switch (counts.state) {
    case 'loading':
      return 'What they did is loading…'
    case 'failed':
      return (
        <>
          What they did: <FailedInline failure={counts.failure} />
        </>
      )
    case 'empty':
    case 'known':
      return null
  }
}

interface PatchesProps {
  readonly virtualCluster: VirtualCluster
  /** Undefined: not known. */
  readonly counts: Counts | undefined
  /** A note about the counts. */
  readonly children: ReactNode
}

function Patches({ virtualCluster, counts, children }: PatchesProps) {
  const management = useManagement()
  const config = virtualCluster.spec?.config ?? ''
  const review = useAsked({ queryKey: ['config', config], queryFn: () => reviewConfig(management, config) })
  return (
    <Panel
      title="Patches"
      actions={
        <Link to="/playground" className={buttonClass()}>
          Open the playground
        </Link>
      }
    >
      <SimpleTable
        label="Patches"
        headers={['Kind', 'Path', 'Does', 'Matched', 'Changed', 'Not found', 'Failed']}
        empty={emptyText(review)}
        of={listFrom(review, ({ config: read }) => (read === undefined ? [] : patchesIn(read)))}
        row={(patch, position) => rowOf(patch, position, counts)}
      />
      <p className="mt-6 text-xs text-muted">{children}</p>
    </Panel>
  )
}

function emptyText(review: Fetched<ConfigReview>): string {
  return review.state === 'known' && review.value.config === undefined
    ? 'The configuration is not valid, so nothing is known of its patches.'
    : 'The configuration has none. Try one out in the playground.'
}

const results = ['matched', 'changed', 'notFound', 'failed'] as const

function rowOf({ kind, patch }: ConfiguredPatch, position: number, counts: Counts | undefined) {
  const count = counts?.get(`${kind} ${patch.path}`)
  const shown = (result: (typeof results)[number]) => (counts === undefined ? '–' : String(count?.[result] ?? 0))
  return {
    key: `${position} ${kind} ${patch.path}`,
    cells: [
      kind,
      <code key="path">{patch.path}</code>,
      <code key="does" className="inline-block min-w-48 break-all">
        {patchInShort(patch)}
      </code>,
      ...results.map(shown),
    ],
  }
}
