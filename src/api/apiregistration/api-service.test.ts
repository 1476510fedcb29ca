import { expect, it } from 'vitest'
import type { APIService } from '../types/apiregistration-v1.ts'
import { validateApiService, validateApiServiceStatus } from './api-service-validation.ts'

const apiService = (spec: Partial<APIService['spec']>, name = 'v1.e.com'): APIService => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name },
  spec: { group: 'e.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1, ...spec },
  status: { conditions: [{ type: 'Available', status: 'Maybe', lastTransitionTime: null }] },
})
const told = (errors: ReturnType<typeof validateApiService>) =>
  errors.map(({ field, message }) => `${field}: ${message}`)

it.each([
  [
    { service: { namespace: 'n', name: 's', port: 0 } },
    ['spec.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive'],
  ],
  [{ caBundle: 'YWJj' }, ['spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle']],
  [
    { insecureSkipTLSVerify: true },
    ['spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify'],
  ],
  [
    { service: { namespace: 'n', name: 's' }, caBundle: 'YWJj', insecureSkipTLSVerify: true },
    ['spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present'],
  ],
])('an APIService with %j', (spec, expected) => {
  expect(told(validateApiService(apiService(spec)))).toEqual(expected)
})

it('the status of a condition is one of three', () => {
  expect(told(validateApiServiceStatus(apiService({})))).toEqual([
    'status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown"',
  ])
})
