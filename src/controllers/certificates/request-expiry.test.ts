import { expect, it } from 'vitest'
import type { StoredDocument } from '../../registry/document.ts'
import { requestExpiry } from './request-expiry.ts'

const created = '2026-01-01T00:00:00Z'
const decided = '2026-01-01T02:00:00Z'
const at = (hours: number) => Date.parse(created) + hours * 3_600_000

it.each([
  ['undecided', [], undefined, at(24)],
  ['approved and not signed yet', ['Approved'], undefined, undefined],
  ['signed', ['Approved'], 'eA==', at(3)],
  ['denied', ['Denied'], undefined, at(3)],
  ['failed', ['Approved', 'Failed'], undefined, at(3)],
] as const)('when a request is deleted that is %s', (_, types, certificate, expected) => {
  const conditions = types.map((type) => ({
    type,
    status: 'True',
    lastUpdateTime: decided,
    lastTransitionTime: decided,
  }))
  const metadata = { name: 'x', creationTimestamp: created }
  const document = { object: { metadata, status: { conditions, ...(certificate && { certificate }) } } }
  expect(requestExpiry(document as unknown as StoredDocument)).toBe(expected)
})
