import { wordsOf } from '../format/words.ts'
import type { KeyRow } from './key-row.ts'

export interface KeyFilter {
  readonly text: string
  /** Empty: every phase. */
  readonly phase: string
  readonly owner: string
  readonly life: (typeof lives)[number]
}

const lives = ['any', 'soon', 'unlimited', 'unused'] as const

export const noFilter: KeyFilter = { text: '', phase: '', owner: '', life: 'any' }

export function isKeyFilter(value: unknown): value is KeyFilter {
  if (typeof value !== 'object' || value === null) return false
  const { text, phase, owner, life } = value as Readonly<Record<string, unknown>>
  const areTexts = [text, phase, owner].every((each) => typeof each === 'string')
  return areTexts && lives.some((each) => each === life)
}

const dayMs = 86_400_000
const soonMs = 7 * dayMs
const unusedMs = 30 * dayMs

/** Every word must occur in the key. Undefined when every key matches. */
export function keyFilter(
  { text, phase, owner, life }: KeyFilter,
  nowMs: number,
): ((row: KeyRow) => boolean) | undefined {
  const words = wordsOf(text)
  if (words.length === 0 && phase === '' && owner === '' && life === 'any') return undefined
  return (row) =>
    (phase === '' || row.phase === phase) &&
    (owner === '' || row.ownerId === owner) &&
    fitsLife(row, life, nowMs) &&
    words.every((word) => row.searched.includes(word))
}

export function endsSoon(expiresMs: number | undefined, nowMs: number): boolean {
  return expiresMs !== undefined && expiresMs > nowMs && expiresMs - nowMs < soonMs
}

function fitsLife({ expiresMs, activeMs, key }: KeyRow, life: KeyFilter['life'], nowMs: number): boolean {
  switch (life) {
    case 'any':
      return true
    case 'soon':
      return endsSoon(expiresMs, nowMs)
    case 'unlimited':
      return expiresMs === undefined
    case 'unused':
      return nowMs - (activeMs ?? Date.parse(key.metadata.creationTimestamp ?? '')) > unusedMs
  }
}
