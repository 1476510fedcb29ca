import { largeIntegerOf } from '../../base/json/large-integer.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { lazily } from '../../base/lazily.ts'
import { shortened } from '../human/shortened.ts'
import type { Choices } from './structure.ts'

/** No more are shown: every error contains the list. */
const mostShown = 100
const longestShown = 1_000

export function choicesOf(values: readonly unknown[]): Choices {
  const others = values.filter((value) => typeof value === 'object' && value !== null)
  return {
    scalars: new Set(values.filter((value) => typeof value !== 'object' || value === null).map(asCarried)),
    others,
    othersSize: others.reduce<number>((sum, value) => sum + sizeOf(value), 0),
    shown: lazily(() => values.slice(0, mostShown).map(shownValue)),
  }
}

/** The form in which an object holds the value. */
function asCarried(value: unknown): unknown {
  return typeof value === 'number' ? (largeIntegerOf(value) ?? value) : value
}

function shownValue(value: unknown): string {
  return shortened(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), longestShown)
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + sizeOf(each), 1)
  return isJsonObject(value) ? 1 + sizeOf(Object.values(value)) : 1
}
