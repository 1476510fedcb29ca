import { Link } from '@tanstack/react-router'
import { buttonClass } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'

export function NotFound() {
  return (
    <Page title="There is no such page">
      <p className="text-muted">There is no page at this address. The object may have been deleted.</p>
      <p>
        <Link to="/" className={buttonClass()}>
          To the overview
        </Link>
      </p>
    </Page>
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
