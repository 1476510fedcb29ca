import { isCode } from '../api/problem.ts'
import type { Failure, Fetched } from '../fetched/fetched.ts'
import { problemText } from '../parts/problem-note.tsx'
import { Figure, type FigureProps } from './figure.tsx'

interface LiveFigureProps<T> {
  readonly label: string
  /** The source of the figure. */
  readonly of: Fetched<readonly T[]>
  readonly figure: (items: readonly T[]) => Omit<FigureProps, 'label'>
}

/** A figure that is shown only once it is known, and not as zero to users who may not see it. */
export function LiveFigure<T>({ label, of, figure }: LiveFigureProps<T>) {
  switch (of.state) {
    case 'loading':
      return <Figure label={label} value="…" note="loading" />
    case 'failed':
      return <Figure label={label} value="–" note={<FailureNote failure={of.failure} />} />
    case 'empty':
      return <Figure label={label} {...figure([])} />
    case 'known':
      return <Figure label={label} {...figure(of.value)} />
  }
}

function FailureNote({ failure: { problem, retry } }: { readonly failure: Failure }) {
  if (isCode(problem, 401, 403)) return 'your key may not list them'
  return (
    <span title={problemText(problem)}>
      not known{' '}
      <button type="button" className="text-accent hover:underline" onClick={retry}>
        Try again
      </button>
    </span>
  )
}
