import type protobuf from 'protobufjs/minimal.js'
import { decodeEtcdMessage, decodeNested, readBytesCopied, readInteger } from './wire.ts'

/** Messages received from etcd, with the fields used here. */
export interface EtcdKeyValue {
  readonly key: Buffer
  readonly value: Buffer
  readonly createRevision: number
  readonly modRevision: number
}

export interface RangeResponse {
  /** The store's revision at the time of the response. */
  readonly revision: number
  readonly items: readonly EtcdKeyValue[]
  /** The number of keys in the range, regardless of the limit. */
  readonly count: number
}

export interface TxnResponse {
  readonly revision: number
  readonly succeeded: boolean
  readonly ranges: readonly RangeResponse[]
}

export interface EtcdWatchEvent {
  readonly type: 'put' | 'delete'
  readonly item: EtcdKeyValue
  readonly previous: EtcdKeyValue | undefined
}

export interface WatchResponse {
  readonly revision: number
  readonly created: boolean
  readonly canceled: boolean
  /** Not 0: the watch was canceled because its start was compacted, up to this revision. */
  readonly compactRevision: number
  readonly cancelReason: string
  /** More of the same revision follows in the next response. */
  readonly fragment: boolean
  readonly events: readonly EtcdWatchEvent[]
}

export function decodeRange(bytes: Uint8Array): RangeResponse {
  const response = emptyRange()
  decodeEtcdMessage(bytes, rangeFields(response))
  return response
}

export function decodeTxn(bytes: Uint8Array): TxnResponse {
  const response = { revision: 0, succeeded: false, ranges: [] as RangeResponse[] }
  decodeEtcdMessage(bytes, (field, reader) => {
    if (field === 1) response.revision = readHeaderRevision(reader)
    else if (field === 2) response.succeeded = reader.bool()
    else if (field === 3) decodeNested(reader, (op, nested) => op === 1 && addRange(response.ranges, nested))
    else return false
    return true
  })
  return response
}

export function decodeWatch(bytes: Uint8Array): WatchResponse {
  const response = {
    revision: 0,
    created: false,
    canceled: false,
    compactRevision: 0,
    cancelReason: '',
    fragment: false,
    events: [] as EtcdWatchEvent[],
  }
  decodeEtcdMessage(bytes, (field, reader) => {
    if (field === 1) response.revision = readHeaderRevision(reader)
    else if (field === 3) response.created = reader.bool()
    else if (field === 4) response.canceled = reader.bool()
    else if (field === 5) response.compactRevision = readInteger(reader)
    else if (field === 6) response.cancelReason = reader.string()
    else if (field === 7) response.fragment = reader.bool()
    else if (field === 11) response.events.push(readEvent(reader))
    else return false
    return true
  })
  return response
}

/** A response of which only the arrival matters. */
export function decodeAcknowledgment(): 'acknowledged' {
  return 'acknowledged'
}

export function decodeToken(bytes: Uint8Array): string {
  let token = ''
  decodeEtcdMessage(bytes, (field, reader) => {
    if (field !== 2) return false
    token = reader.string()
    return true
  })
  return token
}

interface RangeDraft {
  revision: number
  items: EtcdKeyValue[]
  count: number
}

function emptyRange(): RangeDraft {
  return { revision: 0, items: [], count: 0 }
}

function rangeFields(response: RangeDraft) {
  return (field: number, reader: protobuf.Reader): boolean => {
    if (field === 1) response.revision = readHeaderRevision(reader)
    else if (field === 2) response.items.push(readKeyValue(reader))
    else if (field === 4) response.count = readInteger(reader)
    else return false
    return true
  }
}

function addRange(ranges: RangeResponse[], reader: protobuf.Reader): boolean {
  const range = emptyRange()
  decodeNested(reader, rangeFields(range))
  ranges.push(range)
  return true
}

function readHeaderRevision(reader: protobuf.Reader): number {
  let revision = 0
  decodeNested(reader, (field, nested) => {
    if (field !== 3) return false
    revision = readInteger(nested)
    return true
  })
  return revision
}

function readEvent(reader: protobuf.Reader): EtcdWatchEvent {
  let type: EtcdWatchEvent['type'] = 'put'
  let item: EtcdKeyValue | undefined
  let previous: EtcdKeyValue | undefined
  decodeNested(reader, (field, nested) => {
    if (field === 1) type = nested.int32() === 1 ? 'delete' : 'put'
    else if (field === 2) item = readKeyValue(nested)
    else if (field === 3) previous = readKeyValue(nested)
    else return false
    return true
  })
  if (item === undefined) throw new Error('etcd sent an event without a key')
  return { type, item, previous }
}

function readKeyValue(reader: protobuf.Reader): EtcdKeyValue {
  let key: Buffer = Buffer.alloc(0)
  let value: Buffer = Buffer.alloc(0)
  let createRevision = 0
  let modRevision = 0
  decodeNested(reader, (field, nested) => {
    if (field === 1) key = readBytesCopied(nested)
    else if (field === 2) createRevision = readInteger(nested)
    else if (field === 3) modRevision = readInteger(nested)
    else if (field === 5) value = readBytesCopied(nested)
    else return false
    return true
  })
  return { key, value, createRevision, modRevision }
}
