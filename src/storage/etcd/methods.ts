import {
  type AuthenticateRequest,
  type CompactionRequest,
  encodeAuthenticate,
  encodeCompaction,
  encodeRange,
  encodeTxn,
  type RangeRequest,
  type TxnRequest,
} from './requests.ts'
import {
  decodeAcknowledgment,
  decodeRange,
  decodeToken,
  decodeTxn,
  type RangeResponse,
  type TxnResponse,
} from './responses.ts'

/** One call of etcd's API. */
export interface EtcdMethod<Request, Response> {
  readonly path: string
  readonly encode: (request: Request) => Buffer
  readonly decode: (bytes: Buffer) => Response
}

export const rangeMethod: EtcdMethod<RangeRequest, RangeResponse> = {
  path: '/etcdserverpb.KV/Range',
  encode: encodeRange,
  decode: decodeRange,
}

export const txnMethod: EtcdMethod<TxnRequest, TxnResponse> = {
  path: '/etcdserverpb.KV/Txn',
  encode: encodeTxn,
  decode: decodeTxn,
}

export const compactMethod: EtcdMethod<CompactionRequest, 'acknowledged'> = {
  path: '/etcdserverpb.KV/Compact',
  encode: encodeCompaction,
  decode: decodeAcknowledgment,
}

export const authenticateMethod: EtcdMethod<AuthenticateRequest, string> = {
  path: '/etcdserverpb.Auth/Authenticate',
  encode: encodeAuthenticate,
  decode: decodeToken,
}

export const watchPath = '/etcdserverpb.Watch/Watch'
