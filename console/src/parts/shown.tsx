import type { ReactNode } from 'react'
import type { Failure, Fetched } from '../fetched/fetched.ts'
import { Badge } from './badge.tsx'
import { Button } from './button.tsx'
import { ProblemNote, problemText } from './problem-note.tsx'

interface ShownProps<T> {
  readonly of: Fetched<T>
  /** Shown if there is none. */
  readonly empty: ReactNode
  readonly children: (value: T) => ReactNode
}

/** Shows a result in each of its states. */
export function Shown<T>({ of, empty, children }: ShownProps<T>) {
  switch (of.state) {
    case 'loading':
      return of.soFar === undefined ? (
        <Loading />
      ) : (
        <div className="grid min-w-0 gap-2" aria-busy="true">
          <Loading />
          {children(of.soFar)}
        </div>
      )
    case 'failed':
      return <Failed failure={of.failure} />
    case 'empty':
      return typeof empty === 'string' ? <p className="text-muted">{empty}</p> : empty
    case 'known':
      return of.outdated === undefined ? (
        children(of.value)
      ) : (
        <div className="grid min-w-0 gap-2">
          <Failed title="What you see may be old" failure={of.outdated} />
          {children(of.value)}
        </div>
      )
  }
}

/** The same with room for a few words only: in a cell, or beside a name. */
export function ShownInline<T>({ of, empty, children }: ShownProps<T>) {
  switch (of.state) {
    case 'loading':
      return <span className="text-muted">loading…</span>
    case 'failed':
      return <FailedInline failure={of.failure} />
    case 'empty':
      return typeof empty === 'string' ? <span className="text-muted">{empty}</span> : empty
    case 'known':
      return of.outdated === undefined ? (
        children(of.value)
      ) : (
        <span title={`May be old: ${problemText(of.outdated.problem)}`}>
          {children(of.value)} <Badge mood="warn">old</Badge>
        </span>
      )
  }
}

export function Loading() {
  return (
    <p role="status" className="text-muted">
      Loading…
    </p>
  )
}

export function Failed({ failure, title }: { readonly failure: Failure; readonly title?: string }) {
  return (
    <div className="grid min-w-0 gap-2">
      <ProblemNote problem={failure.problem} {...(title === undefined ? {} : { title })} />
      <div>
        <Button onClick={failure.retry}>Try again</Button>
      </div>
    </div>
  )
}

export function FailedInline({ failure }: { readonly failure: Failure }) {
  const reason = problemText(failure.problem)
  return (
    <span className="inline-flex items-center gap-1.5" title={reason}>
      <Badge mood="warn">not known</Badge>
      <span className="sr-only">{reason}</span>
      <button type="button" className="text-xs text-accent hover:underline" onClick={failure.retry}>
        Try again
      </button>
    </span>
  )
}

/** Shows why something is not known, or not yet; nothing if it is. */
export function Unknown({ of, empty }: { readonly of: Fetched<unknown>; readonly empty: string }) {
  if (of.state === 'known') return null
  return (
    <p className="text-xs text-muted">
      <ShownInline of={of} empty={empty}>
        {() => null}
      </ShownInline>
    </p>
  )
}
