import { expect, it } from 'vitest'
import type { RuntimeClass } from '../types/node-v1.ts'
import { runtimeClass } from './runtime-class.ts'

const errorsOf = (change: Partial<RuntimeClass>) => {
  const object = {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'c' },
    handler: 'runc',
    ...change,
  }
  return (runtimeClass.strategy.validate?.(object) ?? []).map(({ field, message }) => `${field}: ${message}`)
}

it('refuses a duplicate toleration, even with other tolerationSeconds', () => {
  const toleration = { key: 'k', operator: 'Exists', effect: 'NoExecute' }
  expect(errorsOf({ scheduling: { tolerations: [toleration, { ...toleration, tolerationSeconds: 1 }] } })).toEqual([
    'scheduling.tolerations[1]: Duplicate value: core.Toleration{Key:"k", Operator:"Exists", Value:"", Effect:"NoExecute", TolerationSeconds:1}',
  ])
})

it('validates the overhead like container limits', () => {
  expect(errorsOf({ overhead: { podFixed: { cpu: '100m' } } })).toEqual([])
  expect(errorsOf({ overhead: { podFixed: { cpu: '-1' } } })).toEqual([
    'overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
  ])
})
