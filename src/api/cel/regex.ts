import { patternMatched } from '../../cel/cost/call-costs.ts'
import type { EstimateCall } from '../../cel/cost/range.ts'
import { matchedPattern } from '../../cel/cost/standard-estimates.ts'
import { type CelLibrary, memberOverload } from '../../cel/environment.ts'
import type { Meter } from '../../cel/meter.ts'
import { patternOf, payForMatch } from '../../cel/run/regex.ts'
import { intType, listType, stringType } from '../../cel/type.ts'
import { type CelFailure, type CelResult, type CelValue, celList, failure, noSuchOverload } from '../../cel/value.ts'

/** At most the wanted number of matches, among them empty ones, except right behind another match. */
function matchesIn([text, source]: readonly CelValue[], most: number, meter: Meter): readonly string[] | CelFailure {
  if (typeof text !== 'string' || typeof source !== 'string') return noSuchOverload
  const pattern = patternOf(source, meter)
  if ('kind' in pattern) return failure(`Illegal regex: ${pattern.message}`)
  payForMatch(pattern, text, meter)
  const found: string[] = []
  const matcher = pattern.matcher(text)
  let end = -1
  while (found.length < most && matcher.find()) {
    // The next match is searched for in the rest, which may again be everything.
    if (end >= 0) payForMatch(pattern, text.slice(matcher.start()), meter)
    const isBehindMatch = matcher.start() === end && matcher.end() === end
    end = matcher.end()
    if (!isBehindMatch) found.push(matcher.group() ?? '')
  }
  return found
}

function find(args: readonly CelValue[], meter: Meter): CelResult {
  const found = matchesIn(args, 1, meter)
  return 'kind' in found ? found : (found[0] ?? '')
}

function findAll(args: readonly CelValue[], meter: Meter): CelResult {
  const [, , limit] = args
  const most = typeof limit === 'bigint' && limit >= 0n ? Number(limit) : Number.POSITIVE_INFINITY
  const found = matchesIn(args, most, meter)
  return 'kind' in found ? found : celList(found)
}

/** At worst every character is a separate match. */
const estimateFind: EstimateCall = (call) => {
  const estimate = matchedPattern(call)
  if (estimate === undefined || call.target === undefined) return undefined
  return { ...estimate, size: { min: 0, max: call.sizeOf(call.target).max } }
}

const costs = { cost: patternMatched, estimate: estimateFind }

export const kubernetesRegex: CelLibrary = {
  functions: [
    {
      name: 'find',
      overloads: [memberOverload('string_find_string', [stringType, stringType], stringType, find, costs)],
    },
    {
      name: 'findAll',
      overloads: [
        memberOverload('string_find_all_string', [stringType, stringType], listType(stringType), findAll, costs),
        memberOverload(
          'string_find_all_string_int',
          [stringType, stringType, intType],
          listType(stringType),
          findAll,
          costs,
        ),
      ],
    },
  ],
}
