import { Link } from '@tanstack/react-router'
import type { VirtualCluster } from '../api/objects.ts'
import { useLive } from '../live/use-live.ts'
import { useManagement } from '../session/session-context.tsx'

/** The key that a virtual cluster is linked with, and whether others share it. */
export function KeyMode({ virtualCluster }: { readonly virtualCluster: VirtualCluster }) {
  const { objects } = useLive<VirtualCluster>(useManagement().path('virtualclusterinstances'))
  const name = virtualCluster.status?.link?.accessKey
  if (name === undefined) return <span className="text-muted">–</span>
  const users = objects.filter(({ status }) => status?.link?.accessKey === name).length
  return (
    <>
      <Link to="/keys/$name" params={{ name }} className="text-accent hover:underline">
        {name}
      </Link>{' '}
      <span className="text-xs text-muted">{users > 1 ? `shared by ${users}` : 'dedicated'}</span>
    </>
  )
}
