import type { KubeClient } from '../../../client/contract.ts'
import { servedTypeOf } from '../../host/objects.ts'

/**
 * A tenant may read and write Secrets of its namespace: there it could read the authority's key, and appoint the
 * administrator.
 */
export async function refuseTenantNamespace(host: KubeClient, namespace: string): Promise<void> {
  const type = await servedTypeOf(host, { apiVersion: 'apps/v1', kind: 'StatefulSet' })
  const { items } = await host.list(type, { namespace, labelSelector: 'app.kubernetes.io/name=tenant' })
  const [first] = items
  if (first === undefined) return
  throw new Error(
    `namespace ${namespace} is the one of the virtual cluster ${first.metadata.name}, which may read its Secrets; choose another with -n. Nothing was changed`,
  )
}
