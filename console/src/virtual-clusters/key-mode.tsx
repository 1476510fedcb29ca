import { Link } from '@tanstack/react-router'
import type { VirtualCluster } from '../api/objects.ts'
import { type Fetched, itemsOf } from '../fetched/fetched.ts'
import { useLive } from '../live/use-live.ts'
import { useManagement } from '../session/session-context.tsx'

/** The key that a virtual cluster is linked with, and whether others share it. */
export function KeyMode({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  const all = useLive<VirtualCluster>(useManagement().path('virtualclusterinstances'))
  const name = virtualCluster.status?.link?.accessKey
  if (name === undefined) return <span className="text-muted">–</span>
  return (
    <>
      <Link to="/keys/$name" params={{ name }} className="text-accent hover:underline">
        {name}
      </Link>{' '}
      <span className="text-xs text-muted">{modeText(all, name)}</span>
    </>
  )
}

/** Without a list of the other virtual clusters, it is not known whether they share it. */
function modeText(all: Fetched<readonly VirtualCluster[]>, key: string): string {
  switch (all.state) {
    case 'loading':
      return 'loading…'
    case 'failed':
      return 'not known whether shared'
    case 'empty':
    case 'known': {
      const users = itemsOf(all).filter(({ status }) => status?.link?.accessKey === key).length
      return users > 1 ? `shared by ${users}` : 'dedicated'
    }
  }
}
