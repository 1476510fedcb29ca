import { expect, it } from 'vitest'
import { deployment } from '../../api/apps/deployment.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import { atOnce } from '../../base/steps.ts'
import { patchedSteps } from './webhook-patch.ts'

const labels = { app: 'web' }
const sent: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'app:1' }] } },
  },
}
const stored = deployment.strategy.defaults?.(sent) ?? sent

/** A Deployment of a later version with one more default. */
const later: Kind = {
  ...deployment,
  strategy: {
    ...deployment.strategy,
    defaults: (object) => {
      const { template, ...spec } = Object((deployment.strategy.defaults?.(object) ?? object).spec)
      return { ...object, spec: { ...spec, template: { ...template, spec: { hostname: 'later', ...template.spec } } } }
    },
  },
}

function patched(...operations: readonly object[]): KubeObject {
  return atOnce(patchedSteps('w', { patch: JSON.stringify(operations), patchType: 'JSONPatch' }, stored, later))
}

it('a webhook that does not change a template adds no newer defaults to it', () => {
  const { metadata, spec } = patched({ op: 'add', path: '/metadata/annotations', value: { seen: 'yes' } })
  expect(metadata.annotations).toEqual({ seen: 'yes' })
  expect(Object(spec).template).toEqual(Object(stored.spec).template)
})

it('a template changed by a webhook gets all defaults', () => {
  const path = '/spec/template/spec/containers/0/image'
  const { spec } = patched({ op: 'replace', path, value: 'app:2' })
  expect(Object(spec).template.spec).toMatchObject({ hostname: 'later', containers: [{ image: 'app:2' }] })
})

it.each([
  [{ op: 'remove', path: '/spec/none' }, 'operation 1, "remove" at "/spec/none"'],
  [{ op: 'test', path: '/metadata/name', value: 'other' }, 'operation 1, "test" at "/metadata/name"'],
  [{ op: 'add', path: '/spec/none/deep', value: 1 }, 'operation 1, "add" at "/spec/none/deep"'],
  [{ op: 'frob', path: '/spec' }, 'operation 1, "frob" at "/spec"'],
  [{ op: 'add', value: 1 }, 'operation 1, "add" at ""'],
])('a patch that cannot be applied names its operation: %j', (operation, which) => {
  const first = { op: 'test', path: '/metadata/name', value: 'web' }
  const problem = `the patch of admission webhook "w" cannot be applied: ${which}, is invalid or does not fit the object`
  expect(() => patched(first, operation)).toThrow(`Internal error occurred: ${problem}`)
})

it('a patch of ten thousand operations is applied in many steps', () => {
  const operations = Array.from({ length: 10_000 }, () => ({ op: 'test', path: '/metadata/name', value: 'web' }))
  const patch = JSON.stringify(operations)
  const steps = patchedSteps('w', { patch, patchType: 'JSONPatch' }, stored, later)
  let count = 0
  while (steps.next().done !== true) count += 1
  expect(count).toBeGreaterThan(150)
})
