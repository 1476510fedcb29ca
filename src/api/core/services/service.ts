import type { Service } from '../../types/core-v1.ts'
import { builtinKind } from '../builtin-kind.ts'
import { withIPFamilies, withKeptAllocations, withMatchingClusterIPs } from './service-allocation.ts'
import { serviceColumns } from './service-columns.ts'
import { withServiceDefaults } from './service-defaults.ts'
import { withoutStaleFields } from './service-type-change.ts'
import { validateServiceStatus, validateServiceUpdate } from './service-update-validation.ts'
import { validateService, validateServiceFamilies } from './service-validation.ts'
import { serviceWarnings } from './service-warnings.ts'

export const service = builtinKind<Service>({
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  shortNames: ['svc'],
  categories: ['all'],
  namespaced: true,
  nameRule: 'dns-1035-label',
  hasStatus: true,
  allowsCreateOnUpdate: true,
  deleteAnswer: 'object',
  message: 'k8s.io.api.core.v1.Service',
  selectableFields: {
    'spec.clusterIP': ({ spec }) => spec.clusterIP ?? '',
    'spec.type': ({ spec }) => spec.type ?? '',
  },
  columns: serviceColumns,
  strategy: {
    defaults: withServiceDefaults,
    prepareForCreate: (object) => withIPFamilies(withMatchingClusterIPs({ ...object, status: { loadBalancer: {} } })),
    prepareForUpdate: (object, old) => {
      const kept = withMatchingClusterIPs(withKeptAllocations(object, old), old)
      return withoutStaleFields(withIPFamilies(kept, old), old)
    },
    validateFirst: validateServiceFamilies,
    validate: validateService,
    validateUpdate: validateServiceUpdate,
    validateStatusUpdate: validateServiceStatus,
    warnings: serviceWarnings,
  },
})
