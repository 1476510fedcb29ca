import { ApiError } from '../../api/error.ts'
import type { Log } from '../../base/log.ts'
import type { KubeClient } from '../../client/contract.ts'

/** Makes the namespace that all copies go to, where it is missing. Not being allowed to is not the end: it may be there. */
export async function ensureHostNamespace(host: KubeClient, name: string, log: Log): Promise<void> {
  try {
    const type = await host.served.find('', 'namespaces')
    if (type === undefined) return
    await host.create(type, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    log.info('the namespace of the tenant was missing on the host and has been made', { namespace: name })
  } catch (error) {
    if (error instanceof ApiError && (error.code === 409 || error.code === 403)) return
    log.warn('cannot see to the namespace of the tenant on the host', { namespace: name, error })
  }
}
