import { Link } from '@tanstack/react-router'
import { buttonClass } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { useSession } from '../session/session-context.tsx'
import { projectKind } from './kinds.ts'
import { useRight } from './use-right.ts'

/** Without a project a user can create nothing, so the commands for that would only be refused. */
export function WithoutProject() {
  const mayCreate = useRight({ verb: 'create', kind: projectKind })?.isAllowed === true
  return mayCreate ? (
    <Empty
      title="No projects yet"
      action={
        <Link to="/projects" className={buttonClass()}>
          Projects
        </Link>
      }
    >
      A virtual cluster belongs to a project. Create one first.
    </Empty>
  ) : (
    <Empty title="You are not a member of a project">
      <AskForMembership />
    </Empty>
  )
}

/** The name is what an administrator enters among the members. */
export function AskForMembership() {
  const { user } = useSession().session
  return (
    <>
      Ask an administrator of the platform, or of a project, to add you to its members as the user{' '}
      <strong className="text-text">{user}</strong>. Its virtual clusters then appear in the console.
    </>
  )
}
