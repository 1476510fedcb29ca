import { describe, expect, it } from 'vitest'
import type { PodSpec, ServiceAccount } from '../../api/types/core-v1.ts'
import { secretProblem } from './allowed-secrets.ts'

const account: ServiceAccount = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'enf', annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
  secrets: [{ name: 'q' }],
}
const pod = (spec: Partial<PodSpec>) => ({
  apiVersion: 'v1' as const,
  kind: 'Pod' as const,
  metadata: {},
  spec: { containers: [], ...spec },
  status: {},
})
const because = 'is not allowed because service account enf does not reference that'

/** As Kubernetes 1.32 answers. */
describe('an account that says which secrets its pods may name', () => {
  it.each<readonly [Partial<PodSpec>, string | undefined]>([
    [{ volumes: [{ name: 'v', secret: { secretName: 'q' } }] }, undefined],
    [
      { volumes: [{ name: 'v', secret: { secretName: 'zz' } }] },
      `volume with secret.secretName="zz" ${because} secret`,
    ],
    [{ imagePullSecrets: [{ name: 'zz' }] }, `imagePullSecrets[0].name="zz" ${because} imagePullSecret`],
    [
      {
        containers: [
          { name: 'c', resources: {}, env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'zz', key: 'k' } } }] },
        ],
      },
      `container c with envVar A referencing secret.secretName="zz" ${because} secret`,
    ],
    [
      { initContainers: [{ name: 'c', resources: {}, envFrom: [{ secretRef: { name: 'zz' } }] }] },
      `init container c with envFrom referencing secret.secretName="zz" ${because} secret`,
    ],
  ])('%j', (spec, problem) => {
    expect(secretProblem(pod(spec), account)).toBe(problem)
    expect(secretProblem(pod(spec), { ...account, metadata: { name: 'enf' } })).toBeUndefined()
  })
})
