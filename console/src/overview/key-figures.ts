import { endsSoon } from '../keys/filter.ts'
import type { KeyRow } from '../keys/key-row.ts'

export interface KeyFigures {
  readonly active: number
  readonly disabled: number
  readonly expired: number
  /** Active keys that end soon, ordered by when they end. */
  readonly ending: readonly KeyRow[]
}

export function keyFigures(rows: readonly KeyRow[], nowMs: number): KeyFigures {
  const counts = new Map<string, number>()
  const ending: KeyRow[] = []
  for (const row of rows) {
    counts.set(row.phase, (counts.get(row.phase) ?? 0) + 1)
    if (row.phase === 'Active' && endsSoon(row.expiresMs, nowMs)) ending.push(row)
  }
  return {
    active: counts.get('Active') ?? 0,
    disabled: counts.get('Disabled') ?? 0,
    expired: counts.get('Expired') ?? 0,
    ending: ending.sort((a, b) => (a.expiresMs ?? 0) - (b.expiresMs ?? 0)),
  }
}
