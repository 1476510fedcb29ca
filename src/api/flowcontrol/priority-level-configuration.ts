import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn, orNone } from '../core/columns.ts'
import { ownMetadata } from '../kind.ts'
import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
} from '../types/flowcontrol-v1.ts'
import { validateConditionTypes } from './condition-types.ts'
import { validateLevel } from './level-validation.ts'

/** Stored as data only: the server schedules requests by its own rules. */
export const priorityLevelConfiguration = builtinKind<PriorityLevelConfiguration>({
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  namespaced: false,
  hasStatus: true,
  statusKeeps: ownMetadata,
  hasGeneration: true,
  message: 'k8s.io.api.flowcontrol.v1.PriorityLevelConfiguration',
  columns: [
    nameColumn,
    column('Type', 'Whether requests of this level are limited.', ({ spec }) => spec.type),
    column('NominalConcurrencyShares', 'Share of the concurrent requests.', ({ spec }) => {
      return spec.limited?.nominalConcurrencyShares ?? orNone(undefined)
    }),
    column('Queues', 'Number of queues.', ({ spec }) => queuingOf(spec)?.queues ?? orNone(undefined)),
    column('HandSize', 'Number of queues per flow.', ({ spec }) => queuingOf(spec)?.handSize ?? orNone(undefined)),
    column('QueueLengthLimit', 'Maximum number of requests per queue.', ({ spec }) => {
      return queuingOf(spec)?.queueLengthLimit ?? orNone(undefined)
    }),
    ageColumn,
  ],
  strategy: {
    defaults: (object) => ({ ...object, spec: withDefaults(object.spec) }),
    validate: validateLevel,
    validateStatusUpdate: ({ status }) => validateConditionTypes(status.conditions ?? []),
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
