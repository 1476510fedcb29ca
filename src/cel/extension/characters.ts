import type { Meter } from '../meter.ts'

/** A text by its characters, which are code points. */
export interface Characters {
  readonly size: number
  /** From one character up to another. */
  readonly slice: (from: number, to: number) => string
  /** The position of a part, searched from a character on, forward or backward; -1 if it is missing. */
  readonly indexOf: (part: string, from: number) => number
  readonly lastIndexOf: (part: string, from: number) => number
}

/** Most texts need only one pass: each of their characters is one unit. */
export function charactersOf(text: string, meter: Meter): Characters {
  meter.work(text.length / 8)
  if (!/[\ud800-\udfff]/.test(text)) {
    return {
      size: text.length,
      slice: (from, to) => text.slice(from, to),
      indexOf: (part, from) => text.indexOf(part, from),
      lastIndexOf: (part, from) => text.lastIndexOf(part, from),
    }
  }
  meter.work(text.length * 4)
  return separated(text)
}

function separated(text: string): Characters {
  const all = [...text]
  const units = (count: number) => all.slice(0, count).join('').length
  const characters = (unit: number) => (unit < 0 ? unit : [...text.slice(0, unit)].length)
  return {
    size: all.length,
    slice: (from, to) => all.slice(from, to).join(''),
    indexOf: (part, from) => characters(text.indexOf(part, units(from))),
    lastIndexOf: (part, from) => characters(text.lastIndexOf(part, units(from))),
  }
}
