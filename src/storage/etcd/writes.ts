import type { WriteResult } from '../contract.ts'
import type { Keyspace } from './keyspace.ts'
import type { Compare, RequestOp, TxnRequest } from './requests.ts'
import type { TxnResponse } from './responses.ts'

const nothing = new Uint8Array()
/** No key ever has this revision, so comparing with it always fails. */
const impossibleRevision = -1

export function createRequest(keys: Keyspace, key: string, value: Uint8Array): TxnRequest {
  const etcdKey = keys.toEtcd(key)
  return guarded(keys, { target: 'created', key: etcdKey, revision: 0 }, { type: 'put', key: etcdKey, value })
}

export function updateRequest(keys: Keyspace, key: string, value: Uint8Array, expectedRevision: number): TxnRequest {
  const etcdKey = keys.toEtcd(key)
  return guarded(keys, stands(etcdKey, expectedRevision), { type: 'put', key: etcdKey, value })
}

export function deleteRequest(keys: Keyspace, key: string, expectedRevision: number): TxnRequest {
  const etcdKey = keys.toEtcd(key)
  return guarded(keys, stands(etcdKey, expectedRevision), { type: 'delete', key: etcdKey })
}

/** Creates the barrier if it does not exist. */
export function barrierRequest(keys: Keyspace): TxnRequest {
  return {
    compare: [{ target: 'created', key: keys.barrier, revision: 0 }],
    success: [touchBarrier(keys)],
    failure: [{ type: 'range', range: { key: keys.barrier } }],
  }
}

export function writeResult(keys: Keyspace, response: TxnResponse): WriteResult {
  if (response.succeeded) return { outcome: 'written', revision: response.revision }
  const item = response.ranges[0]?.items[0]
  if (item === undefined) return { outcome: 'conflict', current: undefined }
  const current = { key: keys.fromEtcd(item.key), value: item.value, revision: item.modRevision }
  return { outcome: 'conflict', current }
}

/** In etcd, 0 would mean that the key does not exist, and an update must never create one. */
function stands(key: Buffer, expectedRevision: number): Compare {
  return { target: 'modified', key, revision: expectedRevision > 0 ? expectedRevision : impossibleRevision }
}

/** If the guard fails, the existing value is returned in the same round trip. */
function guarded(keys: Keyspace, guard: Compare, operation: RequestOp): TxnRequest {
  return {
    compare: [guard],
    success: [operation, touchBarrier(keys)],
    failure: [{ type: 'range', range: { key: guard.key } }],
  }
}

function touchBarrier(keys: Keyspace): RequestOp {
  return { type: 'put', key: keys.barrier, value: nothing }
}
