import { expect, it } from 'vitest'
import { pause } from '../../base/pause.ts'
import { Directory } from '../owners/directory.ts'
import { AccessGrants } from '../projects/access-grants.ts'
import { OpenRights } from './open-rights.ts'

const managementGroup = 'management.platform.internal'
const user = { name: 'bob', groups: ['system:authenticated'] }
const object = {
  kind: 'VirtualClusterInstance',
  resource: 'virtualclusterinstances',
  namespace: 'p-shop',
  name: 'dev',
} as const
const stored = {
  apiVersion: `${managementGroup}/v1`,
  kind: object.kind,
  metadata: { name: object.name, namespace: object.namespace },
  spec: { access: [{ users: ['*'], verbs: ['use'] }] },
}

it('a stream that begins after its user has lost the right to it ends, although no change follows', async () => {
  const grants = new AccessGrants(new Directory(), managementGroup)
  const changesOf = () => ({ listen: () => () => {} })
  const open = new OpenRights({ owners: grants, grants, managementGroup, changesOf })
  grants.put(object.resource, stored)
  const before = open.of(user, object, ['view'])
  await pause(50)
  expect(before.ended.aborted).toBe(false)
  grants.remove(object.resource, object.namespace, object.name)
  const after = open.of(user, object, ['view'])
  await new Promise((resolve) => after.ended.addEventListener('abort', resolve))
  expect(before.ended.aborted).toBe(false)
})
