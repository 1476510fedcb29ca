import { isJsonObject } from '../../src/base/json/member.ts'
import { platformRequest } from '../../src/platform/platform-user.ts'
import { editObject } from '../../src/registry/verbs/edit.ts'
import { group, type TestPlatform } from './platform.ts'

/** Writes the status of a virtual cluster as the platform, since no other caller may. */
export async function setInstanceStatus(
  { server }: Pick<TestPlatform, 'server'>,
  id: { readonly namespace: string; readonly name: string },
  status: object,
): Promise<void> {
  const instances = server.engine.registry.engine.find(group, 'VirtualClusterInstance')
  if (instances === undefined) throw new Error('virtual clusters are served')
  const request = platformRequest('test', new AbortController().signal, 'status')
  const isThere = await editObject(
    instances,
    id,
    (object) => ({ ...object, status: { ...(isJsonObject(object.status) ? object.status : {}), ...status } }),
    request,
  )
  if (!isThere) throw new Error(`there is no virtual cluster ${id.namespace}/${id.name}`)
}
