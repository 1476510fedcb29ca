import { firstTraversed, patternMatched, textContained } from '../cost/call-costs.ts'
import { containedText, firstArg, matchedPattern, traversal } from '../cost/standard-estimates.ts'
import { type CelLibrary, type CelOverload, globalOverload, memberOverload } from '../environment.ts'
import type { Meter } from '../meter.ts'
import { matchesRegex } from '../run/regex.ts'
import { boolType, bytesType, intType, listType, mapType, stringType, typeParameter } from '../type.ts'
import { type CelResult, type CelValue, characterCount, noSuchOverload } from '../value.ts'

const a = typeParameter('A')
const b = typeParameter('B')

type TextTest = (text: string, other: string, meter: Meter) => CelResult

function test(id: string, call: TextTest, costs: Pick<CelOverload, 'cost' | 'estimate'>): CelOverload {
  return memberOverload(
    id,
    [stringType, stringType],
    boolType,
    ([text, other], meter) =>
      typeof text === 'string' && typeof other === 'string' ? call(text, other, meter) : noSuchOverload,
    costs,
  )
}

const matches = test('matches_string', matchesRegex, { cost: patternMatched, estimate: matchedPattern })
const ends = { cost: firstTraversed, estimate: traversal(firstArg) }

const sized = [
  ['string', stringType],
  ['bytes', bytesType],
  ['list', listType(a)],
  ['map', mapType(a, b)],
] as const

function size([value = null]: readonly CelValue[], meter: Meter): CelResult {
  if (typeof value === 'string') {
    meter.work(value.length / 8)
    return BigInt(characterCount(value))
  }
  if (typeof value !== 'object' || value === null) return noSuchOverload
  if (value.kind === 'list' || value.kind === 'map') return BigInt(value.size)
  return value.kind === 'bytes' ? BigInt(value.bytes.length) : noSuchOverload
}

function contains(text: string, part: string, meter: Meter): boolean {
  meter.work(text.length / 8)
  return text.includes(part)
}

export const textFunctions: CelLibrary = {
  functions: [
    {
      name: 'size',
      overloads: [
        ...sized.map(([id, type]) => globalOverload(`size_${id}`, [type], intType, size)),
        ...sized.map(([id, type]) => memberOverload(`${id}_size`, [type], intType, size)),
      ],
    },
    {
      name: 'contains',
      overloads: [
        test('contains_string', contains, {
          cost: textContained,
          estimate: containedText,
        }),
      ],
    },
    { name: 'startsWith', overloads: [test('starts_with_string', (text, start) => text.startsWith(start), ends)] },
    { name: 'endsWith', overloads: [test('ends_with_string', (text, end) => text.endsWith(end), ends)] },
    { name: 'matches', overloads: [matches, { ...matches, id: 'matches', isMember: false }] },
  ],
}
