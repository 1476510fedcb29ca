import { Link } from '@tanstack/react-router'
import type { Project } from '../api/objects.ts'
import { type Fetched, itemsOf } from '../fetched/fetched.ts'
import { createCommands } from '../format/create-command.ts'
import { buttonClass } from '../parts/button.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import { Panel } from '../parts/panel.tsx'
import { WithoutProject } from '../resources/without-project.tsx'

interface FirstStepsProps {
  readonly projects: Fetched<readonly Project[]>
}

/** Shown to a user who sees no virtual cluster. */
export function FirstSteps({ projects }: FirstStepsProps) {
  if (projects.state === 'empty')
    return (
      <Panel title="First steps">
        <WithoutProject />
      </Panel>
    )
  return (
    <Panel title="First steps">
      <ol className="grid list-decimal gap-3 pl-5">
        <li>
          <span className="mr-2">Create an access key for yourself, and copy its value.</span>
          <Link to="/keys" className={buttonClass()}>
            Access keys
          </Link>
        </li>
        <li className="min-w-0">
          Log in on a machine that reaches the host cluster, and create a virtual cluster:
          <div className="mt-2 min-w-0">
            <CodeBlock label="Commands for a first virtual cluster" text={createCommands(itemsOf(projects))} />
          </div>
        </li>
        <li>
          <span className="mr-2">See what a patch would do before anything is synced.</span>
          <Link to="/playground" className={buttonClass()}>
            Patch playground
          </Link>
        </li>
      </ol>
    </Panel>
  )
}
