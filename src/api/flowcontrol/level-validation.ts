import { deepEqual } from '../../base/equal.ts'
import { type FieldError, forbiddenField, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from '../types/flowcontrol-v1.ts'
import { fixedLevels, ownLevelSpec } from './own-levels.ts'

const maxQueues = 10_000_000
/** Bits of a flow's hash that determine its hand of queues. */
const maxHashBits = 60

/** From versions that are no longer served: reserved for the server. */
const zeroSharesAnnotation = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares'

export function validateLevel({ metadata, spec }: PriorityLevelConfiguration): readonly FieldError[] {
  const isExempt = spec.type === 'Exempt'
  return [
    ...(Object.hasOwn(metadata.annotations ?? {}, zeroSharesAnnotation)
      ? [forbiddenField('metadata.annotations', `annotation '${zeroSharesAnnotation}' is forbidden`)]
      : []),
    ...(isExempt === (metadata.name === 'exempt')
      ? []
      : [invalidField('spec.type', spec.type, "type must be 'Exempt' if and only if name is 'exempt'")]),
    ...validateByType('spec', spec),
    ...fixedErrors(metadata.name ?? '', spec),
  ]
}

/** For the level that limits nothing, only how much it lends may be changed. */
function fixedErrors(name: string, spec: PriorityLevelConfigurationSpec): readonly FieldError[] {
  const fixed = fixedLevels.has(name) ? ownLevelSpec(name) : undefined
  if (fixed === undefined) return []
  const isFree = name === 'exempt'
  const compared = isFree && fixed.exempt ? { ...spec, exempt: fixed.exempt } : spec
  if (deepEqual(compared, fixed)) return []
  const part = isFree ? " except the 'spec.exempt' field" : ''
  return [invalidField('spec', spec, `spec of '${name}'${part} must equal the fixed value`)]
}

function validateByType(field: string, { type, limited, exempt }: PriorityLevelConfigurationSpec) {
  switch (type) {
    case 'Exempt':
      return [
        ...(limited === undefined
          ? []
          : [forbiddenField(`${field}.limited`, 'must be nil if the type is not Limited')]),
        ...(exempt === undefined ? [] : validateShares(`${field}.exempt`, exempt)),
      ]
    case 'Limited':
      return [
        ...(exempt === undefined ? [] : [forbiddenField(`${field}.exempt`, 'must be nil if the type is Limited')]),
        ...(limited === undefined
          ? [requiredField(`${field}.limited`, 'must not be empty when type is Limited')]
          : validateLimited(`${field}.limited`, limited)),
      ]
    default:
      return [notSupportedField(`${field}.type`, type, ['Exempt', 'Limited'])]
  }
}

function validateShares(field: string, exempt: ExemptPriorityLevelConfiguration): readonly FieldError[] {
  return [
    ...checkShares(`${field}.nominalConcurrencyShares`, exempt.nominalConcurrencyShares),
    ...checkPercent(`${field}.lendablePercent`, exempt.lendablePercent),
  ]
}

function validateLimited(field: string, limited: LimitedPriorityLevelConfiguration): readonly FieldError[] {
  const { borrowingLimitPercent: borrowed = 0 } = limited
  return [
    ...checkShares(`${field}.nominalConcurrencyShares`, limited.nominalConcurrencyShares),
    ...validateResponse(`${field}.limitResponse`, limited.limitResponse),
    ...checkPercent(`${field}.lendablePercent`, limited.lendablePercent),
    ...(borrowed < 0
      ? [invalidField(`${field}.borrowingLimitPercent`, borrowed, 'if specified, must be a non-negative integer')]
      : []),
  ]
}

function checkShares(field: string, shares = 0): readonly FieldError[] {
  return shares < 0 ? [invalidField(field, shares, 'must be a non-negative integer')] : []
}

function checkPercent(field: string, percent = 0): readonly FieldError[] {
  return percent < 0 || percent > 100 ? [invalidField(field, percent, 'must be between 0 and 100, inclusive')] : []
}

function validateResponse(field: string, { type, queuing }: LimitResponse): readonly FieldError[] {
  switch (type) {
    case 'Reject':
      if (queuing === undefined) return []
      return [forbiddenField(`${field}.queuing`, 'must be nil if limited.limitResponse.type is not Limited')]
    case 'Queue':
      return queuing === undefined
        ? [requiredField(`${field}.queuing`, 'must not be empty if limited.limitResponse.type is Limited')]
        : validateQueuing(`${field}.queuing`, queuing)
    default:
      return [notSupportedField(`${field}.type`, type, ['Queue', 'Reject'])]
  }
}

function validateQueuing(field: string, queuing: QueuingConfiguration): readonly FieldError[] {
  const { queues, handSize, queueLengthLimit } = queuing
  const handProblem = handProblemOf(queuing)
  return [
    ...(queueLengthLimit <= 0 ? [invalidField(`${field}.queueLengthLimit`, queueLengthLimit, 'must be positive')] : []),
    ...(queues <= 0 ? [invalidField(`${field}.queues`, queues, 'must be positive')] : []),
    ...(queues > maxQueues ? [invalidField(`${field}.queues`, queues, `must not be greater than ${maxQueues}`)] : []),
    ...(handProblem === undefined ? [] : [invalidField(`${field}.handSize`, handSize, handProblem)]),
  ]
}

function handProblemOf({ queues, handSize }: QueuingConfiguration): string | undefined {
  if (handSize <= 0) return 'must be positive'
  if (handSize > queues) return `should not be greater than queues (${queues})`
  if (Math.ceil(Math.log2(queues) * handSize) <= maxHashBits) return undefined
  return `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maxHashBits}`
}
