import { base64Forms } from './base64-forms.ts'
import { broughtMarker } from './brought-value.ts'

/**
 * A value of an access key, a proof of identity or a refresh token, or a part that is long enough to reveal the secret,
 * found in some bytes.
 */
export interface Sighting {
  readonly origin: 'minted' | 'brought' | 'proof' | 'refresh'
  readonly encoding: 'plain' | 'base64'
  /** What may be printed of it: the public id, or the name that a test has given to its own value. */
  readonly id: string
  /** The offset of its beginning. */
  readonly at: number
}

interface Shape {
  readonly origin: Sighting['origin']
  readonly beginning: string
  /** The first group may be printed. */
  readonly pattern: RegExp
}

/**
 * A part of the secret half is enough: a truncated value is a leak too. Shorter parts occur by chance in hashes, of
 * which a run writes hundreds of thousands.
 */
const shapes: readonly Shape[] = [
  { origin: 'minted', beginning: 'tpk_', pattern: /^(tpk_[0-9A-Za-z]{12})_[0-9A-Za-z]{8}/ },
  { origin: 'proof', beginning: 'tpi_', pattern: /^(tpi_[0-9A-Za-z]{12})_[0-9A-Za-z]{8}/ },
  { origin: 'refresh', beginning: 'tpo_', pattern: /^(tpo_[\w-]{8})[\w-]{14}_[\w-]{8}/ },
  { origin: 'brought', beginning: broughtMarker, pattern: new RegExp(`^${broughtMarker}(.{10})`) },
]
const longestPlain = 35

interface Needle extends Shape {
  readonly bytes: Buffer
  /** Reads the value that begins where the needle was found. */
  readonly valueAt: (bytes: Buffer, at: number) => string
  readonly encoding: Sighting['encoding']
}

const needles: readonly Needle[] = shapes.flatMap((shape) => [
  {
    ...shape,
    bytes: Buffer.from(shape.beginning),
    valueAt: (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + longestPlain),
    encoding: 'plain' as const,
  },
  ...base64Forms(shape.beginning, longestPlain).map((form) => ({ ...shape, ...form, encoding: 'base64' as const })),
])

const none: readonly Sighting[] = []

/** The maximum length of a sighting, in any encoding. */
export const longestSighting = 54

const needleOf = new Map(needles.map((needle) => [needle.bytes.toString('latin1'), needle]))
/** One search for all needles takes half the time of one for each, and a run searches ten gigabytes. */
const anyNeedle = new RegExp([...needleOf.keys()].map((text) => text.replace(/[+/]/g, '\\$&')).join('|'), 'g')

export function keyValuesIn(bytes: Buffer): readonly Sighting[] {
  const text = bytes.toString('latin1')
  const found: Sighting[] = []
  anyNeedle.lastIndex = 0
  for (let match = anyNeedle.exec(text); match !== null; match = anyNeedle.exec(text)) {
    // Overlapping matches count, too.
    anyNeedle.lastIndex = match.index + 1
    const sighting = sightingAt(bytes, match.index, needleOf.get(match[0]))
    if (sighting !== undefined) found.push(sighting)
  }
  return found.length === 0 ? none : found
}

const minted = /(tp[ki]_[0-9A-Za-z]{12})_[0-9A-Za-z]+/g
const refresh = /(tpo_[\w-]{8})[\w-]+/g
const brought = new RegExp(`${broughtMarker}[!-~]*`, 'g')

export function withoutValues(text: string): string {
  return text.replace(minted, '$1_[hidden]').replace(refresh, '$1[hidden]').replace(brought, '[hidden]')
}

/** Whether an answer contains the value of a key that is neither minted nor marked. */
export function holdsUnmarkedValue(answer: Buffer): boolean {
  const value = /"key":"([^"]{32})/.exec(answer.toString('latin1'))?.[1]
  return value !== undefined && !shapes.some(({ beginning }) => value.startsWith(beginning))
}

function sightingAt(bytes: Buffer, at: number, needle: Needle | undefined): Sighting | undefined {
  const id = needle?.pattern.exec(needle.valueAt(bytes, at))?.[1]
  return needle === undefined || id === undefined
    ? undefined
    : { origin: needle.origin, encoding: needle.encoding, id, at }
}
