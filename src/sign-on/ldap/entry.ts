import type { Entry } from 'ldapts'
import { longestName } from '../claims/short-text.ts'
import { SignOnFailure } from '../failure.ts'

/** Attribute names are case-insensitive, and a directory may return a part of the values (`memberOf;range=0-1499`). */
function entryValues(entry: Entry, attribute: string): readonly (string | Buffer)[] {
  const wanted = attribute.toLowerCase()
  return Object.entries(entry)
    .filter(([name]) => {
      const plain = name.toLowerCase()
      return plain === wanted || plain.startsWith(`${wanted};range=`)
    })
    .flatMap(([, values]) => values)
}

export function entryTexts(entry: Entry, attribute: string): readonly string[] {
  return entryValues(entry, attribute).filter((value) => typeof value === 'string')
}

/** The first value, or an empty text. */
export function entryText(entry: Entry, attribute: string): string {
  return entryTexts(entry, attribute)[0] ?? ''
}

/** The stable identifier of a user. */
export function entryId(entry: Entry, attribute: string): string {
  const values = entryValues(entry, attribute)
  const [value] = values
  const id = Buffer.isBuffer(value) ? guidOf(value) : (value ?? '')
  if (values.length === 1 && id !== '' && id.length <= longestName) return id
  throw new SignOnFailure('misconfigured', `the entry of the user has no single, short ${attribute}`)
}

const guidBytes = 16

/** The format of Active Directory: the first three parts are little-endian. */
function guidOf(bytes: Buffer): string {
  if (bytes.length !== guidBytes) return ''
  const hex = swapped(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The raw value from which `entryId` was read. */
export function entryIdValue(id: string, attribute: string): string | Buffer {
  return attribute.toLowerCase() === 'objectguid' ? swapped(Buffer.from(id.replaceAll('-', ''), 'hex')) : id
}

function swapped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (const [from, to] of [
    [0, 4],
    [4, 6],
    [6, 8],
  ] as const)
    copy.subarray(from, to).reverse()
  return copy
}
