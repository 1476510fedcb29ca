import type { KeyUsage, KeyUse, RecordedUse } from './contract.ts'
import { covers, foldedTo, isFolded, useText } from './fold-uses.ts'

/** What is kept of one key. Beyond that, uses are folded into coarser ones. */
export const mostUsesPerKey = 128

/** One record of several, in whatever order they come, and also when some of it is in more than one of them. */
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

/** What a folded use covers counts under that one. */
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
