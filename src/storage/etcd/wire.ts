import protobuf from 'protobufjs/minimal.js'

/** The part of protobuf that etcd's messages need: length-delimited fields and varints, without rounding. */
export type WriteFields = (writer: protobuf.Writer) => void
export type FieldReader = (field: number, reader: protobuf.Reader) => boolean

const lengthDelimited = 2
const varint = 0

export function encodeMessage(fields: WriteFields): Buffer {
  const writer = protobuf.Writer.create()
  fields(writer)
  return Buffer.from(writer.finish())
}

export function writeBytes(writer: protobuf.Writer, field: number, value: Uint8Array): void {
  if (value.byteLength > 0) writer.uint32(tag(field, lengthDelimited)).bytes(value)
}

export function writeText(writer: protobuf.Writer, field: number, value: string): void {
  writer.uint32(tag(field, lengthDelimited)).string(value)
}

export function writeInteger(writer: protobuf.Writer, field: number, value: number): void {
  if (value !== 0) writer.uint32(tag(field, varint)).int64(value)
}

export function writeFlag(writer: protobuf.Writer, field: number, value: boolean): void {
  if (value) writer.uint32(tag(field, varint)).bool(true)
}

/** Written even without fields: its presence carries the meaning. */
export function writeMessage(writer: protobuf.Writer, field: number, fields: WriteFields): void {
  writer.uint32(tag(field, lengthDelimited)).fork()
  fields(writer)
  writer.ldelim()
}

/** `read` returns false for an unknown field, which is then skipped. */
export function decodeEtcdMessage(bytes: Uint8Array, read: FieldReader): void {
  decodeFields(protobuf.Reader.create(bytes), bytes.byteLength, read)
}

export function decodeNested(reader: protobuf.Reader, read: FieldReader): void {
  const length = reader.uint32()
  decodeFields(reader, reader.pos + length, read)
}

function decodeFields(reader: protobuf.Reader, end: number, read: FieldReader): void {
  while (reader.pos < end) {
    const fieldTag = reader.uint32()
    if (!read(fieldTag >>> 3, reader)) reader.skipType(fieldTag & 7)
  }
}

/** Copies the bytes: a view would keep the whole message in memory as long as one of its values is in use. */
export function readBytesCopied(reader: protobuf.Reader): Buffer {
  return Buffer.from(reader.bytes())
}

export function readInteger(reader: protobuf.Reader): number {
  const value = Number(reader.int64().toString())
  if (!Number.isSafeInteger(value)) throw new RangeError(`etcd sent the number ${value}, which cannot be held exactly`)
  return value
}

function tag(field: number, wireType: number): number {
  return (field << 3) | wireType
}
