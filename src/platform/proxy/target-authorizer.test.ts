import { expect, it } from 'vitest'
import type { Attributes, Decision } from '../../api/access.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { createTargetAuthorizer } from './target-authorizer.ts'

const refused: Decision = { verdict: 'no-opinion', reason: 'an administrator of the platform can allow it' }
const owners: Authorizer = {
  authorize: () => refused,
  rulesFor: () => ({ resourceRules: [], pathRules: [], incomplete: false }),
}
const pods: Attributes = {
  user: { name: 'bob', groups: [] },
  verb: 'list',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'default',
  name: '',
  target: { kind: 'virtual-cluster', project: 'p', virtualCluster: 'v' },
}

it('a caller who impersonates an unknown user learns it, and other callers do not learn which users exist', async () => {
  const told = async (impersonatesUnknown: boolean) =>
    (await createTargetAuthorizer(owners, 'management.platform.internal', () => impersonatesUnknown).authorize(pods))
      .reason
  expect(await told(true)).toBe(
    'not allowed to "use" the virtual cluster "v" of project "p": the platform has no user "bob": impersonate (--as) with the name of a user of the platform, or of a service account inside (system:serviceaccount:NAMESPACE:NAME)',
  )
  expect(await told(false)).toBe(
    'not allowed to "use" the virtual cluster "v" of project "p": an administrator of the platform can allow it',
  )
})
