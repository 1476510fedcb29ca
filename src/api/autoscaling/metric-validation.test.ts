import { expect, it } from 'vitest'
import { validateMetrics } from './metric-validation.ts'

it('an autoscaler has at most 100 metrics', () => {
  const target = { type: 'Utilization', averageUtilization: 50 }
  const metrics = Array.from({ length: 101 }, () => ({ type: 'Resource', resource: { name: 'cpu', target } }))
  expect(validateMetrics('spec.metrics', metrics.slice(1), 1)).toEqual([])
  expect(validateMetrics('spec.metrics', metrics, 1)).toEqual([
    { reason: 'FieldValueTooMany', field: 'spec.metrics', message: 'Too many: 101: must have at most 100 items' },
  ])
})
