import { expect, it } from 'vitest'
import { errorTexts, previewCreate } from '../../../tests/support/strategy-steps.ts'
import { ownLevelSpec } from './own-levels.ts'
import { priorityLevelConfiguration } from './priority-level-configuration.ts'

const reject = { limitResponse: { type: 'Reject' } }
const queuing = (queues: number, handSize: number, queueLengthLimit = 50) => ({
  type: 'Limited',
  limited: { limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit } } },
})
const queue = 'spec.limited.limitResponse.queuing'

it.each([
  ['l', { type: 'Limited', limited: reject }, []],
  ['exempt', { type: 'Exempt', exempt: { lendablePercent: 50 } }, []],
  [
    'l',
    { type: 'Exempt', limited: reject },
    [
      `spec.type: Invalid value: "Exempt": type must be 'Exempt' if and only if name is 'exempt'`,
      'spec.limited: Forbidden: must be nil if the type is not Limited',
    ],
  ],
  [
    'exempt',
    { type: 'Limited', limited: reject },
    [
      `spec.type: Invalid value: "Limited": type must be 'Exempt' if and only if name is 'exempt'`,
      expect.stringMatching(/^spec: .*: spec of 'exempt' except the 'spec.exempt' field must equal the fixed value$/),
    ],
  ],
  [
    'exempt',
    { type: 'Exempt', exempt: { nominalConcurrencyShares: -1, lendablePercent: 101 } },
    [
      'spec.exempt.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
      'spec.exempt.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
    ],
  ],
  [
    'l',
    { type: 'Limited', limited: { ...reject, lendablePercent: -1, borrowingLimitPercent: -1 } },
    [
      'spec.limited.lendablePercent: Invalid value: -1: must be between 0 and 100, inclusive',
      'spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer',
    ],
  ],
  [
    'l',
    { type: 'Limited', limited: { limitResponse: { type: 'Drop' } } },
    ['spec.limited.limitResponse.type: Unsupported value: "Drop": supported values: "Queue", "Reject"'],
  ],
  ['l', queuing(64, 8), []],
  [
    'l',
    queuing(-1, -1, -1),
    [
      `${queue}.queueLengthLimit: Invalid value: -1: must be positive`,
      `${queue}.queues: Invalid value: -1: must be positive`,
      `${queue}.handSize: Invalid value: -1: must be positive`,
    ],
  ],
  ['l', queuing(4, 5), [`${queue}.handSize: Invalid value: 5: should not be greater than queues (4)`]],
  ['l', queuing(10_000_001, 1), [`${queue}.queues: Invalid value: 10000001: must not be greater than 10000000`]],
  [
    'l',
    queuing(128, 10),
    [
      `${queue}.handSize: Invalid value: 10: required entropy bits of deckSize 128 and handSize 10 should not be greater than 60`,
    ],
  ],
])('level %s is validated: %j', (name, spec, errors) => {
  expect(errorTexts(previewCreate(priorityLevelConfiguration, { metadata: { name }, spec }))).toEqual(errors)
})

it.each([
  ['catch-all', { limited: { nominalConcurrencyShares: 6, limitResponse: { type: 'Reject' } } }, ''],
  ['exempt', { limited: { limitResponse: { type: 'Reject' } } }, " except the 'spec.exempt' field"],
])('level %s may not be changed', (name, changes, part) => {
  const spec = { ...ownLevelSpec(name), ...changes }
  const found = errorTexts(previewCreate(priorityLevelConfiguration, { metadata: { name }, spec }))
  expect(found.at(-1)).toMatch(
    new RegExp(`^spec: Invalid value: .*: spec of '${name}'${part} must equal the fixed value$`),
  )
})

it('lendablePercent of the exempt level may be changed', () => {
  const spec = { type: 'Exempt', exempt: { nominalConcurrencyShares: 5, lendablePercent: 50 } }
  expect(errorTexts(previewCreate(priorityLevelConfiguration, { metadata: { name: 'exempt' }, spec }))).toEqual([])
})
