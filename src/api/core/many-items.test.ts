import { describe, expect, it } from 'vitest'
import { previewCreate, previewUpdate } from '../../../tests/support/strategy-steps.ts'
import { node } from './nodes/node.ts'
import { pod } from './pods/pod.ts'
import { service } from './services/service.ts'

const many = 40_000
const metadata = { name: 'x', namespace: 'default' }
const items = <T>(make: (index: number) => T) => Array.from({ length: many }, (_, index) => make(index))

/** As many items as a request can hold; comparing each with every other would take minutes. */
describe('the time that validation takes grows with the size of the object, not with its square', () => {
  it.each([
    [
      'ports of a service',
      service,
      {
        spec: {
          type: 'NodePort',
          ports: items((index) => ({ name: `p${index}`, port: index + 1, nodePort: index + 1 })),
        },
      },
    ],
    ['families of a service', service, { spec: { ports: [{ port: 1 }], ipFamilies: items(String) } }],
    [
      'volumes and ports of a pod',
      pod,
      {
        spec: {
          volumes: items((index) => ({ name: `v${index}` })),
          containers: [
            { name: 'c', image: 'x', ports: items((index) => ({ name: `p${index}`, containerPort: index + 1 })) },
          ],
        },
      },
    ],
    [
      'mounts and tolerations of a pod',
      pod,
      {
        spec: {
          tolerations: items((index) => ({ key: `k${index}`, operator: 'Exists' })),
          containers: [
            { name: 'c', image: 'x', volumeMounts: items((index) => ({ name: 'v', mountPath: `/${index}` })) },
          ],
        },
      },
    ],
    ['taints of a node', node, { spec: { taints: items((index) => ({ key: `k${index}`, effect: 'NoSchedule' })) } }],
  ])('%s', (_, kind, body) => {
    const started = performance.now()
    const { object } = previewCreate(kind, { metadata, ...body })
    previewUpdate(kind, { metadata, ...body }, object)
    expect(performance.now() - started).toBeLessThan(60_000)
  })
})
