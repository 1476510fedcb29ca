import { expect, it } from 'vitest'
import type { CustomResourceDefinition } from '../../types/apiextensions-v1.ts'
import { apiApproval, withApproval } from './api-approval.ts'

function definitionIn(group: string, approval: string): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `as.${group}`, annotations: { 'api-approved.kubernetes.io': approval } },
    spec: { group, scope: 'Cluster', names: { plural: 'as', kind: 'A' }, versions: [] },
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: [] },
  }
}

it.each([
  ['x.k8s.io', 'https://example.com/1', 'approved', 'approved in https://example.com/1'],
  ['x.kubernetes.io', 'unapproved, "x"', 'bypassed', 'not approved: "unapproved, \\"x\\""'],
  ['k8s.io', '', 'missing', expect.stringContaining('must have approval annotation')],
  ['x.k8s.io', 'yes', 'invalid', expect.stringContaining('with either a URL or a reason')],
  ['x.k8s.io', 'mailto:a@b', 'invalid', expect.stringContaining('with either a URL or a reason')],
])('in %s with %j it is %s', (group, approval, state, message) => {
  expect(apiApproval(definitionIn(group, approval))).toEqual({ state, message })
})

it('other groups need no approval and get no condition', () => {
  const definition = definitionIn('xk8s.io', '')
  expect(withApproval(definition, 'now')).toBe(definition)
})

it('a missing approval is reported as a condition', () => {
  expect(withApproval(definitionIn('x.k8s.io', 'unapproved'), 'now').status.conditions).toEqual([
    {
      type: 'KubernetesAPIApprovalPolicyConformant',
      status: 'False',
      reason: 'UnapprovedAnnotation',
      message: 'not approved: "unapproved"',
      lastTransitionTime: 'now',
    },
  ])
})
