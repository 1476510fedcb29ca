import protobuf from 'protobufjs/minimal.js'
import { errorText } from '../../base/error-text.ts'
import { JsonSyntaxError } from '../../base/json/error.ts'
import { decodeUtf8 } from '../../base/json/utf8.ts'
import { ProtobufError } from './protobuf-error.ts'

export type Reader = protobuf.Reader

/** The start of every protobuf message of Kubernetes. */
export const protobufMagic: Uint8Array = Uint8Array.of(0x6b, 0x38, 0x73, 0x00)

/** Wire types of values. */
export const wire = { varint: 0, fixed64: 1, bytes: 2 } as const

/** Runs a reader and converts its errors about malformed bytes into ProtobufError. */
export function readAll<T>(bytes: Uint8Array, read: (reader: Reader) => T): T {
  try {
    return read(protobuf.Reader.create(bytes))
  } catch (error) {
    if (error instanceof ProtobufError || error instanceof JsonSyntaxError) throw error
    throw new ProtobufError(error instanceof RangeError ? 'unexpected EOF' : `proto: ${errorText(error)}`)
  }
}

/** The bytes of a length-delimited value, which share memory with the body. */
export function readBytes(reader: Reader): Uint8Array {
  const length = reader.uint32()
  const start = reader.pos
  if (length > reader.len - start) throw new ProtobufError('unexpected EOF')
  reader.pos = start + length
  return reader.buf.subarray(start, start + length)
}

export function readText(reader: Reader): string {
  return decodeUtf8(readBytes(reader))
}

export function readInt64(reader: Reader): number {
  const read: unknown = reader.int64()
  const value = typeof read === 'number' ? read : Number(String(read))
  if (Number.isSafeInteger(value)) return value
  throw new ProtobufError(
    `the number ${value} cannot be represented: only integers up to 9007199254740991 are kept exactly`,
  )
}

export function readDouble(reader: Reader): number {
  const value = reader.double()
  if (Number.isFinite(value)) return value
  throw new ProtobufError(`the number ${value} cannot be represented in JSON`)
}
