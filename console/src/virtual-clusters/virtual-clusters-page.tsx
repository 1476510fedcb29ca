import { Link } from '@tanstack/react-router'
import type { Project } from '../api/objects.ts'
import { itemsOf } from '../fetched/fetched.ts'
import { createCommands } from '../format/create-command.ts'
import { useLive } from '../live/use-live.ts'
import { buttonClass } from '../parts/button.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import { virtualClusterKind } from '../resources/kinds.ts'
import { ListPage } from '../resources/list-page.tsx'
import { WithoutProject } from '../resources/without-project.tsx'
import { useManagement } from '../session/session-context.tsx'
import { virtualClusterColumns } from './virtual-cluster-columns.tsx'

export function VirtualClustersPage() {
  const projects = useLive<Project>(useManagement().path('projects'))
  return (
    <ListPage
      title="Virtual clusters"
      noun="virtual cluster"
      kind={virtualClusterKind}
      columns={virtualClusterColumns}
      {...(projects.state === 'empty' && { instead: <WithoutProject /> })}
      purpose="A virtual cluster registers itself when it is created by a user who is logged in. Run this, and it appears here:"
      next={
        <div className="grid gap-3 text-left">
          <CodeBlock label="How to create a virtual cluster" text={createCommands(itemsOf(projects))} />
          <Link to="/keys" className={buttonClass()}>
            Create a key to log in with
          </Link>
        </div>
      }
    />
  )
}
