import { describe, expect, it } from 'vitest'
import {
  type ApiError,
  alreadyExists,
  conflict,
  gone,
  invalid,
  notFound,
  resourceVersionRequired,
  resourceVersionTooLarge,
  unauthorized,
} from './error.ts'
import { invalidField, requiredField } from './field-error.ts'

const keys = { plural: 'ownedaccesskeys', kind: 'OwnedAccessKey', group: 'management.example.com' }
const configMaps = { plural: 'configmaps', kind: 'ConfigMap', group: '' }

describe('refusals carry the Status that clients of Kubernetes know', () => {
  const cases: readonly (readonly [string, ApiError, object])[] = [
    [
      'not found',
      notFound(configMaps, 'c1'),
      {
        message: 'configmaps "c1" not found',
        reason: 'NotFound',
        code: 404,
        details: { name: 'c1', kind: 'configmaps' },
      },
    ],
    [
      'already exists',
      alreadyExists(keys, 'k1'),
      {
        message: 'ownedaccesskeys.management.example.com "k1" already exists',
        reason: 'AlreadyExists',
        code: 409,
        details: { name: 'k1', group: keys.group, kind: 'ownedaccesskeys' },
      },
    ],
    [
      'conflict',
      conflict(configMaps, 'c1'),
      {
        message:
          'Operation cannot be fulfilled on configmaps "c1": the object has been modified; please apply your changes to the latest version and try again',
        reason: 'Conflict',
        code: 409,
      },
    ],
    ['unauthorized', unauthorized(), { message: 'Unauthorized', reason: 'Unauthorized', code: 401 }],
    ['gone', gone('too old', 'token'), { metadata: { continue: 'token' }, reason: 'Expired', code: 410 }],
    [
      'an update without a version',
      resourceVersionRequired(keys, 'k1'),
      {
        message:
          'ownedaccesskeys.management.example.com "k1" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
        code: 422,
        details: {
          name: 'k1',
          group: keys.group,
          kind: 'ownedaccesskeys',
          causes: [
            {
              reason: 'FieldValueInvalid',
              message: 'Invalid value: 0x0: must be specified for an update',
              field: 'metadata.resourceVersion',
            },
          ],
        },
      },
    ],
    [
      'a version from the future',
      resourceVersionTooLarge('99999999999', '263'),
      {
        message: 'Timeout: Too large resource version: 99999999999, current: 263',
        reason: 'Timeout',
        code: 504,
        details: {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        },
      },
    ],
  ]
  it.each(cases)('%s', (_, error, status) => {
    expect(error.status).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', ...status })
  })

  it('a single field error stands alone, several are listed, and equal ones are printed once', () => {
    const name = requiredField('metadata.name')
    const ttl = invalidField('spec.ttl', -1, 'too small')
    expect(invalid(keys, '', [name]).message).toBe(
      'OwnedAccessKey.management.example.com "" is invalid: metadata.name: Required value',
    )
    const several = invalid(configMaps, 'c', [name, ttl, ttl])
    expect(several.message).toBe(
      'ConfigMap "c" is invalid: [metadata.name: Required value, spec.ttl: Invalid value: -1: too small]',
    )
    expect(several.status.details?.causes).toHaveLength(3)
  })

  it('a body full of errors gets a response of limited size', () => {
    const errors = Array.from({ length: 100_000 }, (_, index) => requiredField(`spec.f${index}`))
    expect(invalid(keys, 'k', errors).status.details?.causes).toHaveLength(100)
  })
})
