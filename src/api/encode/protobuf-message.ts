import protobuf from 'protobufjs/minimal.js'
import { type FieldPlan, type FieldType, messagePlan } from '../decode/protobuf-plan.ts'
import { wire } from '../decode/protobuf-wire.ts'
import type { ScalarType } from '../facts/message.ts'
import { type FormFields, formFields } from './protobuf-forms.ts'

type Writer = protobuf.Writer
type WriteValue = (writer: Writer, value: unknown) => void

/** One member of the JSON form of a message. */
interface Member {
  /** Undefined: the members of the nested message are inlined into the surrounding one. */
  readonly name: string | undefined
  readonly write: WriteValue
}

/** The bytes of a message, from its JSON form. Absent and null members are not written; unknown ones are omitted. */
export function messageBytes(message: string, fields: FormFields): Uint8Array {
  return written((writer) => writeMembers(writer, message, fields))
}

/** The message as a field of another one, preceded by its number and length. */
export function fieldBytes(number: number, message: string, fields: FormFields): Uint8Array {
  return written((writer) => {
    writer.uint32(tagOf(number, wire.bytes))
    writeDelimited(writer, () => writeMembers(writer, message, fields))
  })
}

function written(write: (writer: Writer) => void): Uint8Array {
  const writer = protobuf.Writer.create()
  write(writer)
  return writer.finish()
}

export function tagOf(number: number, wireType: number): number {
  return (number << 3) | wireType
}

function writeDelimited(writer: Writer, write: () => void): void {
  writer.fork()
  write()
  writer.ldelim()
}

function writeMembers(writer: Writer, message: string, fields: FormFields): void {
  for (const { name, write } of membersOf(message)) {
    const value = name === undefined ? fields : fields[name]
    if (value !== undefined && value !== null) write(writer, value)
  }
}

const known = new Map<string, readonly Member[]>()

/** Ordered by number, as Kubernetes writes them. Computed once for each message. */
function membersOf(message: string): readonly Member[] {
  const before = known.get(message)
  if (before !== undefined) return before
  const plan = messagePlan(message)
  if (plan === undefined) throw new Error(`The protobuf table has no message ${message}.`)
  const members = [...plan]
    .sort(([left], [right]) => left - right)
    .map(([number, field]) => ({ name: field.isInlined ? undefined : field.name, write: memberWriter(number, field) }))
  known.set(message, members)
  return members
}

function memberWriter(number: number, { shape, type }: FieldPlan): WriteValue {
  const write = tagged(number, type)
  switch (shape) {
    case 'single':
      return write
    case 'list':
      return (writer, value) => {
        if (Array.isArray(value)) for (const item of value) write(writer, item)
      }
    case 'map':
      return mapWriter(number, type)
  }
}

/** An entry of a map is a message: the key is field 1, the value field 2. */
function mapWriter(number: number, type: FieldType): WriteValue {
  const tag = tagOf(number, wire.bytes)
  const keyTag = tagOf(1, wire.bytes)
  const writeValue = tagged(2, type)
  return (writer, value) => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, item] of Object.entries(value)) {
      writer.uint32(tag)
      writeDelimited(writer, () => {
        writer.uint32(keyTag).string(wellFormed(key))
        writeValue(writer, item)
      })
    }
  }
}

function tagged(number: number, type: FieldType): WriteValue {
  if (type.kind === 'message') return messageWriter(tagOf(number, wire.bytes), type)
  const { wireType, write } = scalars[type.kind]
  const tag = tagOf(number, wireType)
  return (writer, value) => {
    writer.uint32(tag)
    write(writer, value)
  }
}

function messageWriter(tag: number, { message, form }: FieldType & { kind: 'message' }): WriteValue {
  return (writer, value) => {
    writer.uint32(tag)
    writeDelimited(writer, () => {
      if (form !== undefined) writeMembers(writer, message, formFields(form, value))
      else if (isFields(value)) writeMembers(writer, message, value)
    })
  }
}

const scalars: Readonly<Record<ScalarType, { readonly wireType: number; readonly write: WriteValue }>> = {
  string: { wireType: wire.bytes, write: (writer, value) => writer.string(wellFormed(String(value ?? ''))) },
  bool: { wireType: wire.varint, write: (writer, value) => writer.bool(value === true) },
  int32: { wireType: wire.varint, write: (writer, value) => writer.int32(Number(value)) },
  int64: { wireType: wire.varint, write: (writer, value) => writer.int64(Number(value)) },
  double: { wireType: wire.fixed64, write: (writer, value) => writer.double(Number(value)) },
  /** A string is base64, which the writer decodes itself. */
  bytes: {
    wireType: wire.bytes,
    write: (writer, value) => writer.bytes(value instanceof Uint8Array ? value : String(value ?? '')),
  },
}

const loneSurrogates = /\p{Surrogate}/gu

/** Half of a surrogate pair has no UTF-8 encoding. */
function wellFormed(text: string): string {
  return text.replace(loneSurrogates, '\ufffd')
}

function isFields(value: unknown): value is FormFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
