/** Identifies an item: by the value of its merge key, or by itself if it is a primitive. */
export type Identify = (item: unknown) => unknown

interface Orders {
  /** The order of the items in the patch. */
  readonly asked: readonly unknown[]
  /** The order of the other items, and their place among those in the patch. */
  readonly live: readonly unknown[]
}

/**
 * Items in the patch follow the order of the patch, the others keep their order. One of the others precedes a patched
 * item only if it did in the live list.
 */
export function inMergedOrder(items: readonly unknown[], orders: Orders, identify: Identify): unknown[] {
  const asked = firstPositions(orders.asked, identify)
  const live = firstPositions(orders.live, identify)
  const positionIn = (order: ReadonlyMap<unknown, number>) => (item: unknown) => order.get(identify(item)) ?? order.size
  const named = sortedBy(
    items.filter((item) => asked.has(identify(item))),
    positionIn(asked),
  )
  const others = sortedBy(
    items.filter((item) => !asked.has(identify(item))),
    positionIn(live),
  )
  return interleaved(others, named, (item) => live.get(identify(item)))
}

/** Several items may have one identity. */
export function firstPositions(list: readonly unknown[], identify: Identify): Map<unknown, number> {
  const found = new Map<unknown, number>()
  list.forEach((item, index) => {
    const identity = identify(item)
    if (!found.has(identity)) found.set(identity, index)
  })
  return found
}

function sortedBy(items: readonly unknown[], position: (item: unknown) => number): readonly unknown[] {
  return [...items].sort((left, right) => position(left) - position(right))
}

function interleaved(
  others: readonly unknown[],
  named: readonly unknown[],
  livePosition: (item: unknown) => number | undefined,
): unknown[] {
  const result: unknown[] = []
  let next = 0
  for (const item of named) {
    const stop = livePosition(item)
    while (stop !== undefined && next < others.length && (livePosition(others[next]) ?? Infinity) < stop) {
      result.push(others[next])
      next += 1
    }
    result.push(item)
  }
  return [...result, ...others.slice(next)]
}
