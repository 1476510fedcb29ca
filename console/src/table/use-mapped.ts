import { useRef } from 'react'

interface Mapped<From, To> {
  readonly from: readonly From[]
  readonly to: readonly To[]
}

/** Maps each element; an element that is unchanged at its place is not mapped again. The function must not change. */
export function useMapped<From, To>(from: readonly From[], make: (element: From) => To): readonly To[] {
  const known = useRef<Mapped<From, To>>({ from: [], to: [] })
  if (known.current.from !== from) known.current = { from, to: mapped(from, known.current, make) }
  return known.current.to
}

export function mapped<From, To>(
  from: readonly From[],
  before: Mapped<From, To>,
  make: (element: From) => To,
): readonly To[] {
  return from.map((element, place) => {
    const made = before.to[place]
    return made !== undefined && before.from[place] === element ? made : make(element)
  })
}
