import { describe, expect, it } from 'vitest'
import type { StatefulSet, StatefulSetSpec } from '../types/apps-v1.ts'
import { statefulSet } from './stateful-set.ts'

function problemsOf(spec: Partial<StatefulSetSpec>, mounts: readonly string[] = []): readonly string[] {
  const volumeMounts = mounts.map((name) => ({ name, mountPath: `/${name}` }))
  const sent = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', namespace: 'a' },
    spec: {
      serviceName: 'web',
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'v1', resources: {}, volumeMounts }] },
      },
      updateStrategy: {},
      ...spec,
    },
    status: { replicas: 0, availableReplicas: 0 },
  } satisfies StatefulSet
  const { defaults = (each) => each, validate = () => [] } = statefulSet.strategy
  return validate(defaults(sent)).map(({ field, message }) => `${field}: ${message}`)
}

function claimTemplates(...names: readonly string[]): Pick<StatefulSetSpec, 'volumeClaimTemplates'> {
  const claimNamed = (name: string) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { resources: {} },
    status: {},
  })
  return { volumeClaimTemplates: names.map(claimNamed) }
}

it('leaves names of claims and mounts to the validation of its Pods', () => {
  expect(problemsOf(claimTemplates('Data_'), ['logs'])).toEqual([])
})

it('has at most 100 claim templates', () => {
  const names = Array.from({ length: 101 }, (_, index) => `claim${index}`)
  expect(problemsOf(claimTemplates(...names.slice(1)))).toEqual([])
  expect(problemsOf(claimTemplates(...names))).toEqual([
    'spec.volumeClaimTemplates: Too many: 101: must have at most 100 items',
  ])
})

describe('maxUnavailable of a StatefulSet', () => {
  it.each([
    [1, []],
    ['50%', []],
    [0, ['cannot be 0']],
    ['0%', ['cannot be 0']],
    ['101%', ['must not be greater than 100%']],
    ['some', ['a valid percent string', 'cannot be 0']],
    [-1, ['must be greater than or equal to 0']],
  ])('%j', (maxUnavailable, expected) => {
    const problems = problemsOf({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable } } })
    expect(problems).toEqual(expected.map((each) => expect.stringContaining(each)))
  })
})
