import { maxPatchValues, tooMuch } from '../api/decode/body.ts'
import { JsonSyntaxError, TooMuchError } from '../base/json/error.ts'
import { maxValues } from '../base/json/limits.ts'
import { countSteps } from '../base/json/parse.ts'
import { decodeUtf8 } from '../base/json/utf8.ts'
import { type Pacing, paced } from '../base/pace.ts'
import { contentTypeOf } from './body.ts'
import type { Exchange } from './exchange.ts'
import type { Slices } from './fairness/slices.ts'

/** What is in less is counted in a millisecond or two, when it is parsed. */
const shortBytes = 256 * 1024

const mostValuesOf: ReadonlyMap<string, number> = new Map([
  ['', maxValues],
  ['application/json', maxValues],
  ['application/merge-patch+json', maxValues],
  ['application/strategic-merge-patch+json', maxValues],
  ['application/json-patch+json', maxPatchValues],
])

/** A long text that holds too much is refused in slices, before it is parsed. Most of what is long and good is in few strings, and counted soon. */
export function countValues(exchange: Exchange, slices: Slices): undefined | Promise<void> {
  if (exchange.body.length <= shortBytes) return undefined
  const mostValues = mostValuesOf.get(contentTypeOf(exchange))
  if (mostValues === undefined) return undefined
  return countInTime(exchange, mostValues, slices.for(exchange.flow?.owner ?? ''))
}

/** Whatever else is wrong with the text is told by the verb, which knows what was expected. */
async function countInTime(exchange: Exchange, mostValues: number, pacing: Pacing): Promise<void> {
  try {
    await paced(countSteps(decodeUtf8(exchange.body), mostValues), pacing)
  } catch (error) {
    if (error instanceof TooMuchError) throw tooMuch(error)
    if (!(error instanceof JsonSyntaxError)) throw error
  }
}
