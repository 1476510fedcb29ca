import { type IntegerRange, maxPatchValues, readsLargeIntegers, tooMuch } from '../../api/decode/body.ts'
import { JsonSyntaxError, TooMuchError } from '../../base/json/error.ts'
import { maxValues } from '../../base/json/limits.ts'
import { type ParsedJson, parseSteps } from '../../base/json/parse.ts'
import { decodeUtf8 } from '../../base/json/utf8.ts'
import { type Pacing, paced } from '../../base/pace.ts'
import type { Exchange } from '../exchange.ts'
import type { Slices } from '../fairness/slices.ts'
import { contentTypeOf } from './body.ts'

/** Smaller bodies are parsed in a millisecond or two. */
const shortBytes = 64 * 1024

const mostValuesOf: ReadonlyMap<string, number> = new Map([
  ['', maxValues],
  ['application/json', maxValues],
  ['application/merge-patch+json', maxValues],
  ['application/strategic-merge-patch+json', maxValues],
  ['application/json-patch+json', maxPatchValues],
])

/** Parses long JSON in slices, and refuses it as soon as it contains too many values. */
export function readLongJson(exchange: Exchange, slices: Slices, kind: IntegerRange): undefined | Promise<void> {
  if (exchange.body.length <= shortBytes) return undefined
  const mostValues = mostValuesOf.get(contentTypeOf(exchange))
  if (mostValues === undefined) return undefined
  const pacing = slices.for(exchange.flow?.owner ?? '')
  return readInTime(exchange, mostValues, readsLargeIntegers(kind), pacing)
}

/** The verb reports any other error in the text, because it knows what was expected. */
async function readInTime(exchange: Exchange, mostValues: number, keepsLarge: boolean, pacing: Pacing): Promise<void> {
  try {
    const parsed = await paced(parseSteps(decodeUtf8(exchange.body), mostValues, keepsLarge), pacing)
    useParsed(exchange, parsed, keepsLarge)
  } catch (error) {
    if (error instanceof TooMuchError) throw tooMuch(error)
    if (!(error instanceof JsonSyntaxError)) throw error
  }
}

/** A subresource such as scale has its own kind, and is parsed as that kind. */
function useParsed(exchange: Exchange, parsed: ParsedJson, keptLarge: boolean): void {
  const { reading } = exchange
  exchange.reading = {
    ...reading,
    json: (text, mostValues, keepsLarge) =>
      keepsLarge === keptLarge ? parsed : reading.json(text, mostValues, keepsLarge),
  }
}
