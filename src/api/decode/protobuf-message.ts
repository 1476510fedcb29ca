import { ValueCount } from '../../base/json/limits.ts'
import { setMember } from '../../base/json/member.ts'
import { base64OfBytes } from './base64.ts'
import { ProtobufError } from './protobuf-error.ts'
import { formToJson } from './protobuf-forms.ts'
import { type FieldPlan, type FieldType, type MessagePlan, messagePlan } from './protobuf-plan.ts'
import { type Reader, readBytes, readDouble, readInt64, readText, wire } from './protobuf-wire.ts'

const deepestMessage = 100

/** How the values of a message are decoded. */
interface Mode {
  /** Keeps bytes and zeros, for messages with a special JSON form. */
  readonly raw: boolean
  readonly depth: number
  readonly count: ValueCount
}

/** The JSON form of the message between the reader's position and `end`. */
export function decodeMessage(message: string, reader: Reader, end: number): Record<string, unknown> {
  return plainMessage(message, reader, end, 0, new ValueCount())
}

function plainMessage(
  message: string,
  reader: Reader,
  end: number,
  depth: number,
  count: ValueCount,
): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  const mode = { raw: false, depth, count }
  decodeFields(planOf(message), reader, end, mode, (field, value) => addField(object, field, value))
  return object
}

function planOf(message: string): MessagePlan {
  const plan = messagePlan(message)
  if (plan === undefined) throw new Error(`The protobuf table has no message ${message}.`)
  return plan
}

function decodeFields(
  plan: MessagePlan,
  reader: Reader,
  end: number,
  mode: Mode,
  add: (field: FieldPlan, value: unknown) => void,
): void {
  if (mode.depth > deepestMessage) throw new ProtobufError('exceeded max depth')
  while (reader.pos < end) {
    mode.count.add()
    const tag = reader.uint32()
    const field = plan.get(tag >>> 3)
    if (field === undefined) reader.skipType(tag & 7, 0, tag >>> 3)
    else readField(field, tag & 7, reader, mode, (value) => add(field, value))
    if (reader.pos > end) throw new ProtobufError('unexpected EOF')
  }
}

function readField(
  field: FieldPlan,
  wireType: number,
  reader: Reader,
  mode: Mode,
  add: (value: unknown) => void,
): void {
  if (field.shape === 'map') {
    add(readEntry(field, wireType, reader, mode))
  } else if (field.shape === 'list' && wireType === wire.bytes && isVarint(field.type)) {
    const end = endOfBytes(reader)
    while (reader.pos < end) {
      mode.count.add()
      add(readValue(field, reader, mode))
    }
  } else {
    checkWireType(field, wireType)
    add(readValue(field, reader, mode))
  }
}

function checkWireType(field: FieldPlan, wireType: number): void {
  const wanted = isVarint(field.type) ? wire.varint : field.type.kind === 'double' ? wire.fixed64 : wire.bytes
  if (wireType !== wanted) throw new ProtobufError(`proto: wrong wireType = ${wireType} for field ${field.name}`)
}

function isVarint({ kind }: FieldType): boolean {
  return kind === 'bool' || kind === 'int32' || kind === 'int64'
}

function endOfBytes(reader: Reader): number {
  const length = reader.uint32()
  if (length > reader.len - reader.pos) throw new ProtobufError('unexpected EOF')
  return reader.pos + length
}

function readValue({ type }: { readonly type: FieldType }, reader: Reader, mode: Mode): unknown {
  switch (type.kind) {
    case 'string':
      return readText(reader)
    case 'bool':
      return reader.bool()
    case 'int32':
      return reader.int32()
    case 'int64':
      return readInt64(reader)
    case 'double':
      return readDouble(reader)
    case 'bytes':
      return mode.raw ? readBytes(reader) : base64OfBytes(readBytes(reader))
    case 'message':
      return readMessage(type, reader, endOfBytes(reader), { ...mode, depth: mode.depth + 1 })
  }
}

function readMessage(type: FieldType & { kind: 'message' }, reader: Reader, end: number, mode: Mode): unknown {
  const { depth, count } = mode
  if (type.form === undefined) return plainMessage(type.message, reader, end, depth, count)
  const fields = new Map<string, unknown>()
  decodeFields(planOf(type.message), reader, end, { raw: true, depth, count }, (field, value) => {
    const items = fields.get(field.name)
    if (field.shape !== 'list') fields.set(field.name, value)
    else if (Array.isArray(items)) items.push(value)
    else fields.set(field.name, [value])
  })
  return formToJson(type.form, fields, count)
}

/** An entry of a map is a message: the key is field 1, the value field 2. */
function readEntry(field: FieldPlan, wireType: number, reader: Reader, mode: Mode): readonly [string, unknown] {
  if (wireType !== wire.bytes) throw new ProtobufError(`proto: wrong wireType = ${wireType} for field ${field.name}`)
  const end = endOfBytes(reader)
  let key = ''
  let value = zeroOf(field.type, mode.count)
  while (reader.pos < end) {
    mode.count.add()
    const tag = reader.uint32()
    if (tag === ((1 << 3) | wire.bytes)) key = readText(reader)
    else if (tag >>> 3 === 2) {
      checkWireType(field, tag & 7)
      value = readValue(field, reader, mode)
    } else reader.skipType(tag & 7, 0, tag >>> 3)
  }
  if (reader.pos > end) throw new ProtobufError('unexpected EOF')
  return [key, value]
}

function zeroOf(type: FieldType, count: ValueCount): unknown {
  if (type.kind === 'message') return type.form === undefined ? {} : formToJson(type.form, new Map(), count)
  if (type.kind === 'bool') return false
  return type.kind === 'string' || type.kind === 'bytes' ? '' : 0
}

function addField(object: Record<string, unknown>, field: FieldPlan, value: unknown): void {
  if (field.shape === 'list') {
    const items = object[field.name]
    if (Array.isArray(items)) items.push(value)
    else object[field.name] = [value]
  } else if (field.shape === 'map') addEntry(object, field.name, value)
  else if (field.isInlined) Object.assign(object, value)
  else if (value !== undefined && !isHiddenZero(field, value)) object[field.name] = value
  else delete object[field.name]
}

function addEntry(object: Record<string, unknown>, name: string, entry: unknown): void {
  if (!Array.isArray(entry)) return
  const map: Record<string, unknown> = Object(object[name] ?? {})
  object[name] = map
  setMember(map, String(entry[0]), entry[1])
}

/** Zeros are written to the wire, but mean nothing unless the table says so. */
function isHiddenZero(field: FieldPlan, value: unknown): boolean {
  return (
    field.presence === 'optional' && (value === '' || value === 0 || value === false) && field.type.kind !== 'message'
  )
}
