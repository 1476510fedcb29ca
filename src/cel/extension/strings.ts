import { firstTraversed, firstTraversedTwice, traversalCost } from '../cost/call-costs.ts'
import {
  type CallToEstimate,
  type EstimateCall,
  exactly,
  product,
  type Range,
  scaled,
  sum,
  traversalFactor,
  unlimited,
} from '../cost/range.ts'
import { callTarget, traversal, traversalOf } from '../cost/standard-estimates.ts'
import { type CelFunction, type CelLibrary, type CelOverload, globalOverload, memberOverload } from '../environment.ts'
import type { Meter } from '../meter.ts'
import { celItems } from '../run/lists.ts'
import { type CelType, dynType, intType, listType, stringType } from '../type.ts'
import { type CelResult, type CelValue, celList, failure, noSuchOverload, valueSize } from '../value.ts'
import { charactersOf } from './characters.ts'
import { formatted } from './format-text.ts'
import { quotedText } from './quote.ts'

type TextCall = (text: string, args: readonly CelValue[], meter: Meter) => CelResult
type Costs = Pick<CelOverload, 'cost' | 'estimate'>

/** A function of a text; `args` are those after it. */
function member(id: string, args: readonly CelType[], result: CelType, call: TextCall, costs: Costs = {}): CelOverload {
  return memberOverload(
    id,
    [stringType, ...args],
    result,
    ([text, ...rest], meter) => (typeof text === 'string' ? call(text, rest, meter) : noSuchOverload),
    costs,
  )
}

const traversed: Costs = { cost: firstTraversed, estimate: traversalOf(callTarget) }
const searched: Costs = { cost: firstTraversed, estimate: traversal(callTarget) }

function outOfRange(index: number): CelResult {
  return failure(`index out of range: ${index}`)
}

function charAt(text: string, [at]: readonly CelValue[], meter: Meter): CelResult {
  const { size, slice } = charactersOf(text, meter)
  const index = Number(at)
  return index < 0 || index > size ? outOfRange(index) : slice(index, index + 1)
}

function indexOf(text: string, [part, offset = 0n]: readonly CelValue[], meter: Meter): CelResult {
  if (typeof part !== 'string' || typeof offset !== 'bigint') return noSuchOverload
  if (part === '') return offset
  if (offset < 0n) return outOfRange(Number(offset))
  const characters = charactersOf(text, meter)
  payForSearch(text, part, meter)
  if (offset >= BigInt(characters.size)) return -1n
  return BigInt(characters.indexOf(part, Number(offset)))
}

function lastIndexOf(text: string, [part, offset]: readonly CelValue[], meter: Meter): CelResult {
  if (typeof part !== 'string') return noSuchOverload
  const characters = charactersOf(text, meter)
  if (part === '') return typeof offset === 'bigint' ? offset : BigInt(characters.size)
  const from = typeof offset === 'bigint' ? offset : BigInt(characters.size - 1)
  if (from < 0n && offset !== undefined) return outOfRange(Number(from))
  payForSearch(text, part, meter)
  if (from >= BigInt(characters.size) || from < 0n) return -1n
  return BigInt(characters.lastIndexOf(part, Number(from)))
}

/** A part that nearly matches everywhere is compared everywhere. */
function payForSearch(text: string, part: string, meter: Meter): void {
  meter.work((text.length * Math.min(part.length, 16)) / 8)
}

function substring(text: string, [start, end]: readonly CelValue[], meter: Meter): CelResult {
  const { size, slice } = charactersOf(text, meter)
  const from = Number(start)
  const to = end === undefined ? size : Number(end)
  if (end !== undefined && from > to) return failure(`invalid substring range. start: ${from}, end: ${to}`)
  if (from < 0 || from > size) return outOfRange(from)
  return to < 0 || to > size ? outOfRange(to) : slice(from, to)
}

/** The length of the result is computed before the result is made. */
function replace(text: string, [part, by, most]: readonly CelValue[], meter: Meter): CelResult {
  if (typeof part !== 'string' || typeof by !== 'string') return noSuchOverload
  meter.work(text.length)
  const pieces = part === '' ? ['', ...text, ''] : text.split(part)
  const limit = typeof most === 'bigint' && most >= 0n ? Number(most) : pieces.length
  const count = Math.min(limit, pieces.length - 1)
  meter.work(pieces.length + text.length + count * by.length)
  const replaced = pieces.slice(0, count + 1).join(by)
  return count === pieces.length - 1 ? replaced : replaced + part + pieces.slice(count + 1).join(part)
}

function split(text: string, [separator, most]: readonly CelValue[], meter: Meter): CelResult {
  if (typeof separator !== 'string') return noSuchOverload
  meter.work(text.length)
  if (most === 0n) return celList([])
  const pieces = separator === '' ? [...text] : text.split(separator)
  if (typeof most !== 'bigint' || most < 0n || pieces.length <= Number(most)) return celList(pieces)
  const kept = pieces.slice(0, Number(most) - 1)
  return celList([...kept, pieces.slice(kept.length).join(separator)])
}

function join([list, separator = '']: readonly CelValue[], meter: Meter): CelResult {
  if (typeof list !== 'object' || list?.kind !== 'list' || typeof separator !== 'string') return noSuchOverload
  const items = celItems(list, meter)
  if ('kind' in items) return items
  const texts: string[] = []
  for (const item of items) {
    if (typeof item !== 'string') return failure('join: invalid input')
    meter.work((item.length + separator.length) / 4)
    texts.push(item)
  }
  const joined = texts.join(separator)
  meter.charge(traversalCost(joined.length, 2))
  return joined
}

/** Characters beyond ASCII stay unchanged. */
function lower(text: string, _: readonly CelValue[], meter: Meter): string {
  if (isAscii(text, meter)) return text.toLowerCase()
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function upper(text: string, _: readonly CelValue[], meter: Meter): string {
  if (isAscii(text, meter)) return text.toUpperCase()
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
}

/** A text beyond ASCII costs as much as if each letter were replaced separately. */
function isAscii(text: string, meter: Meter): boolean {
  meter.work(text.length / 4)
  if (!/[\u0080-\uffff]/.test(text)) return true
  meter.work(text.length * 5)
  return false
}

const estimateReplace: EstimateCall = ({ target, args: [part, by], sizeOf }) => {
  if (target === undefined || part === undefined || by === undefined) return undefined
  const size = sizeOf(target)
  const count = { min: 0, max: 0 }
  const kept = { min: 0, max: 0 }
  const replaced = sizeOf(part)
  const replacement = sizeOf(by)
  if (replaced.min === 0) {
    count.max = Math.min(size.max + 1, unlimited)
    kept.max = size.max
  } else if (replacement.max <= replaced.min) kept.max = size.max
  else count.max = Math.ceil(size.max / replaced.min)
  if (replaced.max === 0) {
    count.min = size.min + 1
    kept.min = size.min
  } else if (replaced.max <= replacement.min) kept.min = size.min
  else count.min = Math.ceil(size.min / replaced.max)
  return { cost: scaled(size, 2 * traversalFactor), size: sum(product(count, replacement), kept) }
}

const estimateSplit: EstimateCall = ({ target, args: [, most], sizeOf }) => {
  if (target === undefined) return undefined
  const size = sizeOf(target)
  const max = most?.literal === undefined ? size.max : Number(BigInt.asUintN(64, most.literal))
  return { cost: scaled(size, 2 * traversalFactor), size: { min: 0, max } }
}

const estimateJoin: EstimateCall = (call) => {
  const { target, args, sizeOf } = call
  if (target === undefined) return undefined
  const count = sizeOf(target)
  const size = sum(itemsSize(call, count), separatorsSize(call, count, args.length > 0))
  return { cost: scaled(size, traversalFactor), size }
}

function itemsSize({ target, itemOf, sizeOf }: CallToEstimate, count: Range): Range {
  const item = target === undefined ? undefined : itemOf(target)
  return item === undefined ? exactly(0) : product(count, sizeOf(item))
}

function separatorsSize({ args: [separator], sizeOf }: CallToEstimate, count: Range, isThere: boolean): Range {
  if (separator === undefined || !isThere) return exactly(0)
  return product(sizeOf(separator), { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) })
}

const replaced: Costs = { cost: firstTraversedTwice, estimate: estimateReplace }
const separated: Costs = { cost: firstTraversedTwice, estimate: estimateSplit }
const joined: Costs = { cost: () => 0, estimate: estimateJoin }
const texts = listType(stringType)

const functions: readonly CelFunction[] = [
  { name: 'charAt', overloads: [member('string_char_at_int', [intType], stringType, charAt)] },
  {
    name: 'indexOf',
    overloads: [
      member('string_index_of_string', [stringType], intType, indexOf, searched),
      member('string_index_of_string_int', [stringType, intType], intType, indexOf, searched),
    ],
  },
  {
    name: 'lastIndexOf',
    overloads: [
      member('string_last_index_of_string', [stringType], intType, lastIndexOf, searched),
      member('string_last_index_of_string_int', [stringType, intType], intType, lastIndexOf, searched),
    ],
  },
  { name: 'lowerAscii', overloads: [member('string_lower_ascii', [], stringType, lower, traversed)] },
  { name: 'upperAscii', overloads: [member('string_upper_ascii', [], stringType, upper, traversed)] },
  { name: 'trim', overloads: [member('string_trim', [], stringType, (text) => text.trim(), traversed)] },
  {
    name: 'substring',
    overloads: [
      member('string_substring_int', [intType], stringType, substring, traversed),
      member('string_substring_int_int', [intType, intType], stringType, substring, traversed),
    ],
  },
  {
    name: 'replace',
    overloads: [
      member('string_replace_string_string', [stringType, stringType], stringType, replace, replaced),
      member('string_replace_string_string_int', [stringType, stringType, intType], stringType, replace, replaced),
    ],
  },
  {
    name: 'split',
    overloads: [
      member('string_split_string', [stringType], texts, split, separated),
      member('string_split_string_int', [stringType, intType], texts, split, separated),
    ],
  },
  {
    name: 'join',
    overloads: [
      memberOverload('list_join', [texts], stringType, join, joined),
      memberOverload('list_join_string', [texts, stringType], stringType, join, joined),
    ],
  },
  {
    name: 'format',
    overloads: [
      member(
        'string_format',
        [listType(dynType)],
        stringType,
        (text, [args = null], meter) => formatted(text, args, meter),
        {
          cost: firstTraversed,
          estimate: traversal(callTarget),
        },
      ),
    ],
  },
  {
    name: 'strings.quote',
    overloads: [
      globalOverload(
        'strings_quote',
        [stringType],
        stringType,
        ([text], meter) => (typeof text === 'string' ? quotedText(text, meter) : noSuchOverload),
        { cost: ([text = null]) => traversalCost(valueSize(text)), estimate: estimateQuote },
      ),
    ],
  },
]

function estimateQuote({ args: [text], sizeOf }: CallToEstimate): ReturnType<EstimateCall> {
  if (text === undefined) return undefined
  const { min, max } = sizeOf(text)
  return { cost: scaled({ min, max }, traversalFactor), size: { min: min + 2, max: max * 2 + 2 } }
}

/** Version 2 of the extension, as in Kubernetes 1.32: `reverse` came later. */
export const stringExtension: CelLibrary = { functions }
