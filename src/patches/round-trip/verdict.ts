/** Whether a reverseExpression undoes its expression, as far as sample values show. */
export type RoundTripVerdict =
  | { readonly verdict: 'cancels'; readonly samples: number }
  | { readonly verdict: 'counter-example'; readonly counterExample: CounterExample }
  | { readonly verdict: 'not-checkable'; readonly reason: string }

/** A value that is not restored. An absent member means that the field was removed. */
export interface CounterExample {
  readonly value: unknown
  /** The value on the host. */
  readonly sent?: unknown
  /** The value returned to the virtual cluster. */
  readonly returned?: unknown
  /** Set if the reverseExpression failed instead. */
  readonly message?: string
}

/** The result for one sample. */
export type SampleTrip =
  /** The expression failed: the value is not one that it is meant for. */
  | { readonly state: 'inapplicable'; readonly message: string }
  /** It was restored; `changed` says whether the host would have seen a different value. */
  | { readonly state: 'returned'; readonly changed: boolean }
  | { readonly state: 'lost'; readonly changed: boolean; readonly counterExample: CounterExample }

/**
 * The verdict for samples grouped by type. A type that the expression changes and restores decides for the pair;
 * otherwise the first loss does.
 */
export function judge(groups: readonly (readonly SampleTrip[])[]): RoundTripVerdict {
  const trips = groups.flat()
  if (groups.some(cancels)) {
    return { verdict: 'cancels', samples: trips.filter((trip) => trip.state === 'returned').length }
  }
  for (const trip of trips) {
    if (trip.state === 'lost') return { verdict: 'counter-example', counterExample: trip.counterExample }
  }
  const failure = trips.find((trip) => trip.state === 'inapplicable')
  const applied = trips.some((trip) => trip.state !== 'inapplicable')
  if (applied || failure === undefined) return notCheckable('the expression changes none of the sample values')
  return notCheckable(`the expression failed for every sample value: ${failure.message}`)
}

export function notCheckable(reason: string): RoundTripVerdict {
  return { verdict: 'not-checkable', reason }
}

function cancels(trips: readonly SampleTrip[]): boolean {
  return trips.every((trip) => trip.state !== 'lost') && trips.some((trip) => trip.state === 'returned' && trip.changed)
}
