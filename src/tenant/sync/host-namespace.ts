import { isRefusal } from '../../api/error.ts'
import type { Log } from '../../base/log.ts'
import { rest } from '../../base/pause.ts'
import { ConnectionError } from '../../client/connection/connection-error.ts'
import type { KubeClient } from '../../client/contract.ts'

const retryMs = 5_000

/**
 * Creates the namespace of all copies if it is missing. A missing right is not fatal, because the namespace may exist.
 */
export async function ensureHostNamespace(
  host: KubeClient,
  name: string,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await createNamespace(host, name, log, signal)
      return
    } catch (error) {
      if (signal.aborted || isRefusal(error, 409, 403)) return
      log.warn('cannot see to the namespace of the tenant on the host', { namespace: name, error })
      if (!(error instanceof ConnectionError)) return
      await rest(retryMs, signal)
    }
  }
}

async function createNamespace(host: KubeClient, name: string, log: Log, signal: AbortSignal): Promise<void> {
  const type = await host.served.find('', 'namespaces', signal)
  if (type === undefined) return
  await host.create(type, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, signal)
  log.info('the namespace of the tenant was missing on the host and has been made', { namespace: name })
}
