import { CallFailure } from './call-failure.ts'
import type { EtcdConnection } from './connection.ts'
import type { Keyspace } from './keyspace.ts'
import { watchResponses } from './watch-stream.ts'

/**
 * etcd reports its compacted revision only to a watch that starts before it, so this starts one at the very beginning.
 * The barrier has a history, so there is always an answer.
 */
export async function readCompactedRevision(
  connection: EtcdConnection,
  keys: Keyspace,
  signal: AbortSignal,
): Promise<number> {
  const request = { key: keys.barrier, startRevision: 1 }
  for await (const response of watchResponses(connection, request, signal)) {
    if (response.compactRevision > 0) return response.compactRevision
    if (response.canceled) throw new CallFailure('refused', response.cancelReason)
    if (!response.created) return 0
  }
  throw new CallFailure('broken', 'etcd ended the watch')
}
