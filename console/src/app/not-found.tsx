import { Link } from '@tanstack/react-router'
import { buttonClass } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'

export function NotFound() {
  return (
    <Empty
      title="There is no such page"
      action={
        <Link to="/" className={buttonClass()}>
          To the overview
        </Link>
      }
    >
      There is no page at this address. The object may have been deleted.
    </Empty>
  )
}

/** A defect of the console itself must not affect everything else. */
export function PageProblem({ error }: { readonly error: unknown }) {
  return (
    <div className="p-6">
      <ProblemNote title="This page failed" problem={error} />
    </div>
  )
}
