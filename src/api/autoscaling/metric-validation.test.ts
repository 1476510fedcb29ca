import { describe, expect, it } from 'vitest'
import { validateMetrics } from './metric-validation.ts'

it('an autoscaler has at most 100 metrics', () => {
  const target = { type: 'Utilization', averageUtilization: 50 }
  const metrics = Array.from({ length: 101 }, () => ({ type: 'Resource', resource: { name: 'cpu', target } }))
  expect(validateMetrics('spec.metrics', metrics.slice(1), 1)).toEqual([])
  expect(validateMetrics('spec.metrics', metrics, 1)).toEqual([
    { reason: 'FieldValueTooMany', field: 'spec.metrics', message: 'Too many: 101: must have at most 100 items' },
  ])
})

describe('where a metric comes from', () => {
  const value = { type: 'Value', value: '5' }

  it.each([
    [
      {
        type: 'Object',
        object: { describedObject: { kind: 'Ingress', name: 'i' }, metric: { name: 'm' }, target: value },
      },
      [],
    ],
    [
      {
        type: 'Object',
        object: { describedObject: { kind: '', name: 'a/b' }, metric: { name: '' }, target: { type: '' } },
      },
      [
        'object.describedObject.kind: Required value',
        `object.describedObject.name: Invalid value: "a/b": may not contain '/'`,
        'object.metric.name: Required value: must specify a metric name',
        'object.target.type: Required value: must specify a metric target type',
        'object.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue',
        'object.target.averageValue: Required value: must set either a target value or averageValue',
      ],
    ],
    [
      { type: 'External', external: { metric: { name: 'm' }, target: { ...value, averageValue: '1' } } },
      ['external.target.value: Forbidden: may not set both a target value for metric and a per-pod target'],
    ],
    [
      { type: 'Pods', pods: { metric: { name: 'm' }, target: value } },
      ['pods.target.averageValue: Required value: must specify a positive target averageValue'],
    ],
    [
      { type: 'Resource', resource: { name: '', target: { type: 'AverageValue', averageValue: '-1' } } },
      [
        'resource.name: Required value: must specify a resource name',
        expect.stringMatching(/^resource\.target\.averageValue: Invalid value: .*: must be positive$/),
      ],
    ],
    [
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', container: '', target: { type: 'Utilization', averageUtilization: 50 } },
      },
      ['containerResource.container: Required value: must specify a container'],
    ],
    [
      { type: 'Else' },
      Array.from(
        { length: 2 },
        () =>
          'type: Unsupported value: "Else": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      ),
    ],
  ])('%j', (metric, errors) => {
    const found = validateMetrics('', [metric], 1)
    expect(found.map(({ field, message }) => `${field.slice('[0].'.length)}: ${message}`)).toEqual(errors)
  })
})
