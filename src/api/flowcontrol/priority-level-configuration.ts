import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn, orNone } from '../core/columns.ts'
import { checkOneOf } from '../core/field-checks.ts'
import { type FieldError, forbiddenField, invalidField, requiredField } from '../field-error.ts'
import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
} from '../types/flowcontrol-v1.ts'

/** Kept as data: requests are shared out by the server's own rules. */
export const priorityLevelConfiguration = builtinKind<PriorityLevelConfiguration>({
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  namespaced: false,
  hasStatus: true,
  hasGeneration: true,
  message: 'k8s.io.api.flowcontrol.v1.PriorityLevelConfiguration',
  columns: [
    nameColumn,
    column('Type', 'Whether its requests are limited.', ({ spec }) => spec.type),
    column('NominalConcurrencyShares', 'Its share of all requests.', ({ spec }) => {
      return spec.limited?.nominalConcurrencyShares ?? orNone(undefined)
    }),
    column('Queues', 'Queues that requests wait in.', ({ spec }) => queuingOf(spec)?.queues ?? orNone(undefined)),
    column('HandSize', 'Queues that one flow may use.', ({ spec }) => queuingOf(spec)?.handSize ?? orNone(undefined)),
    column('QueueLengthLimit', 'Requests that one queue holds.', ({ spec }) => {
      return queuingOf(spec)?.queueLengthLimit ?? orNone(undefined)
    }),
    ageColumn,
  ],
  strategy: {
    defaults: (object) => ({ ...object, spec: withDefaults(object.spec) }),
    validate: ({ spec }) => validateLevel(spec),
  },
})

function queuingOf({ limited }: PriorityLevelConfigurationSpec) {
  return limited?.limitResponse.queuing
}

function withDefaults(spec: PriorityLevelConfigurationSpec): PriorityLevelConfigurationSpec {
  if (spec.exempt !== undefined) {
    const { nominalConcurrencyShares = 0, lendablePercent = 0 } = spec.exempt
    return { ...spec, exempt: { ...spec.exempt, nominalConcurrencyShares, lendablePercent } }
  }
  return spec.limited === undefined ? spec : { ...spec, limited: withLimitDefaults(spec.limited) }
}

function withLimitDefaults(limited: LimitedPriorityLevelConfiguration): LimitedPriorityLevelConfiguration {
  return {
    ...limited,
    nominalConcurrencyShares: limited.nominalConcurrencyShares ?? 30,
    lendablePercent: limited.lendablePercent ?? 0,
    limitResponse: withQueues(limited.limitResponse),
  }
}

function withQueues(response: LimitResponse): LimitResponse {
  const { queuing } = response
  if (queuing === undefined) return response
  return {
    ...response,
    queuing: {
      queues: queuing.queues || 64,
      handSize: queuing.handSize || 8,
      queueLengthLimit: queuing.queueLengthLimit || 50,
    },
  }
}

function validateLevel({ type, limited, exempt }: PriorityLevelConfigurationSpec): readonly FieldError[] {
  return [
    ...checkOneOf('spec.type', type, ['Exempt', 'Limited']),
    ...(type === 'Limited' && limited === undefined
      ? [requiredField('spec.limited', 'must not be empty when type is Limited')]
      : []),
    ...(type === 'Exempt' && limited !== undefined
      ? [forbiddenField('spec.limited', 'must be nil if the type is not Limited')]
      : []),
    ...(type === 'Limited' && exempt !== undefined
      ? [forbiddenField('spec.exempt', 'must be nil if the type is Limited')]
      : []),
    ...(type === 'Limited' && limited !== undefined ? validateLimited('spec.limited', limited) : []),
  ]
}

function validateLimited(field: string, limited: LimitedPriorityLevelConfiguration): readonly FieldError[] {
  const { nominalConcurrencyShares = 0, lendablePercent = 0, limitResponse } = limited
  return [
    ...(nominalConcurrencyShares < 0
      ? [invalidField(`${field}.nominalConcurrencyShares`, nominalConcurrencyShares, 'must be a non-negative integer')]
      : []),
    ...validateResponse(`${field}.limitResponse`, limitResponse),
    ...(lendablePercent < 0 || lendablePercent > 100
      ? [invalidField(`${field}.lendablePercent`, lendablePercent, 'must be between 0 and 100, inclusive')]
      : []),
  ]
}

function validateResponse(field: string, { type, queuing }: LimitResponse): readonly FieldError[] {
  return [
    ...checkOneOf(`${field}.type`, type, ['Queue', 'Reject']),
    ...(type === 'Reject' && queuing !== undefined
      ? [forbiddenField(`${field}.queuing`, 'must be nil if limited.limitResponse.type is not Limited')]
      : []),
    ...(type === 'Queue' && queuing === undefined
      ? [requiredField(`${field}.queuing`, 'must not be empty if limited.limitResponse.type is Limited')]
      : []),
  ]
}
