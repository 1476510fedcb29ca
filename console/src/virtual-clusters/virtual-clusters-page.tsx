import { Link } from '@tanstack/react-router'
import { buttonClass } from '../parts/button.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import { virtualClusterKind } from '../resources/kinds.ts'
import { ListPage } from '../resources/list-page.tsx'
import { virtualClusterColumns } from './virtual-cluster-columns.tsx'

export function VirtualClustersPage() {
  return (
    <ListPage
      title="Virtual clusters"
      noun="virtual cluster"
      kind={virtualClusterKind}
      columns={virtualClusterColumns}
      purpose="A virtual cluster registers itself when it is created by a user who is logged in. Run this, and it appears here:"
      next={
        <div className="grid gap-3 text-left">
          <CodeBlock label="How to create a virtual cluster" text={commands()} />
          <Link to="/keys" className={buttonClass()}>
            Create a key to log in with
          </Link>
        </div>
      }
    />
  )
}

function commands(): string {
  return [
    `tenant platform login ${window.location.origin}`,
    'tenant create my-tenant -n my-namespace --project default',
  ].join('\n')
}
