import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn } from '../core/columns.ts'
import { ownMetadata } from '../kind.ts'
import type { APIService, APIServiceCondition } from '../types/apiregistration-v1.ts'
import { validateApiService, validateApiServiceStatus } from './api-service-validation.ts'

export const apiServiceGroup = 'apiregistration.k8s.io'

export const apiService = builtinKind<APIService>({
  group: apiServiceGroup,
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  categories: ['api-extensions'],
  namespaced: false,
  nameRule: 'path-segment',
  hasStatus: true,
  statusKeeps: ownMetadata,
  allowsUnconditionalUpdate: false,
  message: 'k8s.io.kube_aggregator.pkg.apis.apiregistration.v1.APIService',
  columns: [
    nameColumn,
    column('Service', 'Service that serves the API version.', ({ spec }) =>
      spec.service === undefined ? 'Local' : `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}`,
    ),
    column('Available', 'Whether the API version is available.', availableText),
    ageColumn,
  ],
  strategy: {
    defaults: withPort,
    prepareForCreate: withLocalAvailability,
    validate: validateApiService,
    validateStatusUpdate: validateApiServiceStatus,
  },
})

function withPort(object: APIService): APIService {
  const { service } = object.spec
  if (service === undefined) return object
  return { ...object, spec: { ...object.spec, service: { ...service, port: service.port ?? 443 } } }
}

export const localAvailability = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
} as const

/** A version that this server serves is available from the start. */
function withLocalAvailability(object: APIService): APIService {
  const { spec, metadata } = object
  if (spec.service !== undefined) return object
  const lastTransitionTime = metadata.creationTimestamp ?? null
  return { ...object, status: { conditions: [{ type: 'Available', ...localAvailability, lastTransitionTime }] } }
}

/** Undefined: it has not been checked yet. */
export function availability({ status }: APIService): APIServiceCondition | undefined {
  return status.conditions?.find(({ type }) => type === 'Available')
}

function availableText(object: APIService): string {
  const condition = availability(object)
  if (condition === undefined) return 'Unknown'
  return condition.status === 'True' ? 'True' : `${condition.status} (${condition.reason ?? ''})`
}
