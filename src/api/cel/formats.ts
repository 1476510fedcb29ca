import { traversalCost } from '../../cel/cost/call-costs.ts'
import { regexFactor, scaled, traversalFactor } from '../../cel/cost/range.ts'
import { type CelFunction, type CelLibrary, globalOverload, memberOverload } from '../../cel/environment.ts'
import type { Meter } from '../../cel/meter.ts'
import { listType, optionalType, stringType, structType } from '../../cel/type.ts'
import {
  type CelOpaque,
  type CelResult,
  type CelValue,
  celList,
  emptyOptional,
  noSuchOverload,
  optionalOf,
  valueSize,
} from '../../cel/value.ts'
import { hasFormat } from '../custom/formats/formats.ts'
import { canonicalBase64 } from '../decode/base64.ts'
import {
  validateLabel,
  validateLabel1035,
  validateLabelValue,
  validateNamePrefix,
  validateQualifiedName,
  validateSubdomain,
} from '../names.ts'
import { parseRequestUri } from './request-uri.ts'

const typeName = 'kubernetes.NamedFormat'
const formatType = structType(typeName)

interface NamedFormat {
  readonly validate: (text: string) => readonly string[]
  /** The length of an equivalent regular expression, which determines the cost of a check. */
  readonly patternSize: number
}

interface FormatValue extends CelOpaque {
  readonly format: NamedFormat
}

function known(name: string, problem: string, patternSize: number): NamedFormat {
  return { validate: (text) => (hasFormat(name, text) ? [] : [problem]), patternSize }
}

const formats: ReadonlyMap<string, NamedFormat> = new Map<string, NamedFormat>([
  ['dns1123Label', { validate: validateLabel, patternSize: 30 }],
  ['dns1123Subdomain', { validate: validateSubdomain, patternSize: 60 }],
  ['dns1035Label', { validate: validateLabel1035, patternSize: 30 }],
  ['qualifiedName', { validate: validateQualifiedName, patternSize: 60 }],
  ['dns1123LabelPrefix', { validate: (text) => validateNamePrefix('dns-label', text), patternSize: 30 }],
  ['dns1123SubdomainPrefix', { validate: (text) => validateNamePrefix('dns-subdomain', text), patternSize: 60 }],
  ['dns1035LabelPrefix', { validate: (text) => validateNamePrefix('dns-1035-label', text), patternSize: 30 }],
  ['labelValue', { validate: validateLabelValue, patternSize: 40 }],
  ['uri', { validate: uriProblems, patternSize: 1000 }],
  ['uuid', known('uuid', 'does not match the UUID format', 70)],
  ['byte', { validate: (text) => (canonicalBase64(text).valid ? [] : ['invalid base64']), patternSize: 90 }],
  ['date', known('date', 'invalid date', 90)],
  ['datetime', known('datetime', 'invalid datetime', 90)],
])

function uriProblems(text: string): readonly string[] {
  const parsed = parseRequestUri(text)
  return 'problem' in parsed ? [parsed.problem] : []
}

const values: ReadonlyMap<string, FormatValue> = new Map(
  [...formats].map(([name, format]) => [name, formatValue(format)]),
)

function formatValue(format: NamedFormat): FormatValue {
  return { kind: 'opaque', typeName, format, equals: (other) => isFormatValue(other) && other.format === format }
}

function isFormatValue(value: CelValue | undefined): value is FormatValue {
  return typeof value === 'object' && value?.kind === 'opaque' && value.typeName === typeName
}

function validate([format, text]: readonly CelValue[], meter: Meter): CelResult {
  if (!isFormatValue(format) || typeof text !== 'string') return noSuchOverload
  meter.work(text.length)
  const problems = format.format.validate(text)
  return problems.length === 0 ? emptyOptional : optionalOf(celList(problems))
}

/** The largest expression with which a name is checked. */
const largestPattern = 128

const constants: readonly CelFunction[] = [...values].map(([name, value]) => ({
  name: `format.${name}`,
  overloads: [globalOverload(`format.${name}`, [], formatType, () => value)],
}))

export const kubernetesFormats: CelLibrary = {
  functions: [
    ...constants,
    {
      name: 'format.named',
      overloads: [
        globalOverload('format-named', [stringType], optionalType(formatType), ([name]) => {
          const found = typeof name === 'string' ? values.get(name) : undefined
          return found === undefined ? emptyOptional : optionalOf(found)
        }),
      ],
    },
    {
      name: 'validate',
      overloads: [
        memberOverload('format-validate', [formatType, stringType], optionalType(listType(stringType)), validate, {
          cost: ([format, text = null]) =>
            traversalCost(1 + valueSize(text)) *
            Math.ceil((isFormatValue(format) ? format.format.patternSize : 1) * regexFactor),
          estimate: ({ args: [text], sizeOf }) =>
            text === undefined
              ? undefined
              : { cost: scaled(scaled(sizeOf(text), traversalFactor), largestPattern * regexFactor) },
        }),
      ],
    },
  ],
  types: new Map([[typeName, formatType]]),
}
