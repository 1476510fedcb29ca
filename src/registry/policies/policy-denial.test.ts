import { describe, expect, it } from 'vitest'
import { configMap } from '../../api/core/config-map.ts'
import { shownAsSent } from '../webhooks/shown-kind.ts'
import { deniedByPolicy } from './policy-denial.ts'

const attributes = {
  operation: 'CREATE',
  sent: shownAsSent(configMap, ''),
  equivalents: () => [],
  subresource: '',
  namespace: 'default',
  name: 'c',
  object: undefined,
  old: undefined,
  options: {},
  isDryRun: false,
  user: { name: 'ann', groups: [] },
} as const

describe('a refusal by a policy', () => {
  it.each([
    ['Forbidden', 403, 'Forbidden'],
    ['RequestEntityTooLarge', 413, 'RequestEntityTooLarge'],
    ['Invalid', 422, 'Invalid'],
    ['', 422, 'Invalid'],
    ['NotFound', 422, 'Invalid'],
    ['constructor', 422, 'Invalid'],
    ['__proto__', 422, 'Invalid'],
  ])('for %s has the code %d', (given, code, reason) => {
    expect(deniedByPolicy('no', given, attributes).status).toMatchObject({ code, reason })
  })
})
