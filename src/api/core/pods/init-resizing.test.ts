import { expect, it } from 'vitest'
import { previewCreate } from '../../../../tests/support/strategy-steps.ts'
import { deployment } from '../../apps/deployment.ts'
import { pod } from './pod.ts'

const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }]
const spec = {
  containers: [{ name: 'c', image: 'i:1', resizePolicy }],
  initContainers: [
    { name: 'once', image: 'i:1', resizePolicy },
    { name: 'sidecar', image: 'i:1', restartPolicy: 'Always', resizePolicy },
  ],
}

it('resize policies of init containers are dropped, except for sidecars', () => {
  const { object, errors } = previewCreate(pod, { metadata: { name: 'p' }, spec })
  expect(errors).toEqual([])
  expect(object.spec).toMatchObject({
    containers: [{ resizePolicy }],
    initContainers: [{ name: 'once' }, { name: 'sidecar', resizePolicy }],
  })
  expect(JSON.stringify(object.spec).split('resizePolicy')).toHaveLength(3)
})

it('resize policies are dropped in templates, too', () => {
  const template = { metadata: { labels: { a: 'b' } }, spec }
  const { object, errors } = previewCreate(deployment, {
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: { a: 'b' } }, template },
  })
  expect(errors).toEqual([])
  expect(JSON.stringify(object.spec).split('resizePolicy')).toHaveLength(3)
})
