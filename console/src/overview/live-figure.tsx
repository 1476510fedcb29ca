import type { ComponentProps } from 'react'
import type { Snapshot } from '../live/collection.ts'
import { Figure } from './figure.tsx'

interface LiveFigureProps extends ComponentProps<typeof Figure> {
  /** Where the figure comes from. */
  readonly of: Pick<Snapshot<unknown>, 'state' | 'isLoaded'>
}

/** A figure that is not shown before it is known, nor as a zero to whoever may not know it. */
export function LiveFigure({ of: { state, isLoaded }, ...figure }: LiveFigureProps) {
  if (state.phase === 'refused') return <Figure label={figure.label} value="–" note="your key may not list them" />
  return isLoaded ? <Figure {...figure} /> : <Figure label={figure.label} value="…" note="loading" />
}
