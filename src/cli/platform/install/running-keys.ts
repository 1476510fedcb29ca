import type { KubeObject } from '../../../api/object.ts'
import { asMembers } from '../../../base/json/lenient.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { existing } from '../../host/objects.ts'
import { platformName, platformSecrets } from './names.ts'

/** Whether running Pods of a platform read encryption keys from its Secret. */
export async function hasRunningKeys(host: KubeClient, namespace: string): Promise<boolean> {
  for (const kind of ['StatefulSet', 'Deployment']) {
    const found = await existing(host, { apiVersion: 'apps/v1', kind, metadata: { namespace, name: platformName } })
    if (found !== undefined && readsKeys(found)) return true
  }
  return false
}

function readsKeys({ spec, status }: KubeObject): boolean {
  const { volumes } = asMembers(asMembers(asMembers(spec).template).spec)
  const isMounted = (volume: unknown) => asMembers(asMembers(volume).secret).secretName === platformSecrets.encryption
  return Array.isArray(volumes) && volumes.some(isMounted) && Number(asMembers(status).readyReplicas ?? 0) > 0
}
