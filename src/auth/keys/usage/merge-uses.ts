import type { KeyUsage, KeyUse, RecordedUse } from '../contract.ts'
import { covers, foldedTo, isFolded, useText } from './fold-uses.ts'

/** Limit for one key. Beyond it, uses are folded into coarser ones. */
export const mostUsesPerKey = 128

/** Merges several records, in any order and with overlaps. */
export function mergedUsage(...records: readonly (readonly RecordedUse[])[]): KeyUsage {
  const latest = new Map<string, RecordedUse>()
  for (const use of records.flat()) note(latest, use, use.lastMs)
  absorb(latest)
  const uses = foldedTo(mostUsesPerKey, [...latest.values()])
  return {
    uses: uses.toSorted((left, right) => right.lastMs - left.lastMs),
    complete: !uses.some(isFolded),
  }
}

function note(latest: Map<string, RecordedUse>, use: KeyUse, lastMs: number): void {
  const text = useText(use)
  if ((latest.get(text)?.lastMs ?? Number.NEGATIVE_INFINITY) < lastMs) latest.set(text, { ...use, lastMs })
}

/** Uses that a folded use covers are merged into it. */
function absorb(latest: Map<string, RecordedUse>): void {
  for (const [wideText, wide] of latest) {
    if (!isFolded(wide)) continue
    for (const [text, use] of latest) {
      if (text === wideText || !covers(wide, use)) continue
      latest.delete(text)
      note(latest, wide, use.lastMs)
    }
  }
}
