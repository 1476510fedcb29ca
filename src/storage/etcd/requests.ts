import type protobuf from 'protobufjs/minimal.js'
import { encodeMessage, writeBytes, writeFlag, writeInteger, writeMessage, writeText } from './wire.ts'

/** Messages sent to etcd (package etcdserverpb), with the fields used here. */
export interface RangeRequest {
  readonly key: Uint8Array
  /** Selects the keys from `key` up to, but not including, this one. Absent: only `key`. */
  readonly rangeEnd?: Uint8Array
  readonly limit?: number
  /** 0 or absent: the newest revision. */
  readonly revision?: number
  readonly countOnly?: boolean
}

export type Compare =
  | { readonly target: 'created'; readonly key: Uint8Array; readonly revision: number }
  | { readonly target: 'modified'; readonly key: Uint8Array; readonly revision: number }

export type RequestOp =
  | { readonly type: 'range'; readonly range: RangeRequest }
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'delete'; readonly key: Uint8Array }

export interface TxnRequest {
  readonly compare: readonly Compare[]
  readonly success: readonly RequestOp[]
  readonly failure: readonly RequestOp[]
}

export interface WatchCreateRequest {
  readonly key: Uint8Array
  readonly rangeEnd?: Uint8Array
  readonly startRevision: number
}

export interface AuthenticateRequest {
  readonly name: string
  readonly password: string
}

export interface CompactionRequest {
  readonly revision: number
}

const compareTargets = { created: { code: 1, field: 5 }, modified: { code: 2, field: 6 } } as const

export function encodeRange(request: RangeRequest): Buffer {
  return encodeMessage((writer) => writeRange(writer, request))
}

export function encodeTxn(request: TxnRequest): Buffer {
  return encodeMessage((writer) => {
    for (const compare of request.compare) writeMessage(writer, 1, (nested) => writeCompare(nested, compare))
    for (const operation of request.success) writeMessage(writer, 2, (nested) => writeRequestOp(nested, operation))
    for (const operation of request.failure) writeMessage(writer, 3, (nested) => writeRequestOp(nested, operation))
  })
}

export function encodeCompaction(request: CompactionRequest): Buffer {
  return encodeMessage((writer) => writeInteger(writer, 1, request.revision))
}

export function encodeAuthenticate(request: AuthenticateRequest): Buffer {
  return encodeMessage((writer) => {
    writeText(writer, 1, request.name)
    writeText(writer, 2, request.password)
  })
}

/** Requests progress notifications, previous values and fragments. */
export function encodeWatchCreate(request: WatchCreateRequest): Buffer {
  return encodeMessage((writer) => {
    writeMessage(writer, 1, (create) => {
      writeBytes(create, 1, request.key)
      writeBytes(create, 2, request.rangeEnd ?? new Uint8Array())
      writeInteger(create, 3, request.startRevision)
      writeFlag(create, 4, true)
      writeFlag(create, 6, true)
      writeFlag(create, 8, true)
    })
  })
}

function writeRange(writer: protobuf.Writer, request: RangeRequest): void {
  writeBytes(writer, 1, request.key)
  if (request.rangeEnd !== undefined) writeBytes(writer, 2, request.rangeEnd)
  writeInteger(writer, 3, request.limit ?? 0)
  writeInteger(writer, 4, request.revision ?? 0)
  writeFlag(writer, 9, request.countOnly ?? false)
}

/** The comparison is always "equal", whose code is 0 and therefore omitted. */
function writeCompare(writer: protobuf.Writer, compare: Compare): void {
  const { code, field } = compareTargets[compare.target]
  writeInteger(writer, 2, code)
  writeBytes(writer, 3, compare.key)
  // Members of a oneof are written even if they are zero.
  writer.uint32(field << 3).int64(compare.revision)
}

function writeRequestOp(writer: protobuf.Writer, operation: RequestOp): void {
  switch (operation.type) {
    case 'range':
      writeMessage(writer, 1, (nested) => writeRange(nested, operation.range))
      return
    case 'put':
      writeMessage(writer, 2, (nested) => {
        writeBytes(nested, 1, operation.key)
        writeBytes(nested, 2, operation.value)
      })
      return
    case 'delete':
      writeMessage(writer, 3, (nested) => writeBytes(nested, 1, operation.key))
  }
}
