import protobuf from 'protobufjs/minimal.js'
import { asMembers } from '../../base/json/lenient.ts'
import { type MessageShape, messages } from './v2-protobuf-shapes.ts'

type Writer = protobuf.Writer

type PairsMember = 'paths' | 'definitions'

/** A path or definition of an OpenAPI 2 document, in the protobuf form that older clients require. */
export function encodeV2Pair(member: PairsMember, name: string, node: unknown): Buffer {
  const field = pairsField(member)
  return written((writer) => writePair(writer, field, name, node))
}

/** All pairs of a member. */
export function encodeV2Pairs(member: PairsMember, pairs: readonly Buffer[]): readonly Buffer[] {
  const length = pairs.reduce((sum, pair) => sum + pair.length, 0)
  return [written((writer) => writer.uint32(tag(pairsField(member).number, 2)).uint32(length)), ...pairs]
}

/** Any other member of the document. */
export function encodeV2Member(name: string, value: unknown): Buffer {
  const field = messages.Document.fields[name]
  return field === undefined ? Buffer.alloc(0) : written((writer) => writeField(writer, field, value))
}

function pairsField(member: PairsMember): Field & { as: 'named' } {
  const field = messages.Document.fields[member]
  if (field?.as !== 'named') throw new Error(`The member ${member} of a document has no names.`)
  return field
}

function written(write: (writer: Writer) => void): Buffer {
  const writer = protobuf.Writer.create()
  write(writer)
  return Buffer.from(writer.finish())
}

/** Members that are not fields of the message are vendor extensions if they look like one, and omitted otherwise. */
function writeMessage(writer: Writer, shape: MessageShape, value: Readonly<Record<string, unknown>>): void {
  for (const [name, member] of Object.entries(value)) {
    const field = shape.fields[name]
    if (field !== undefined) writeField(writer, field, member)
    else if (name.startsWith('x-') && shape.extensions !== undefined)
      writeNamedAny(writer, shape.extensions, name, member)
  }
}

type Field = MessageShape['fields'][string]

function writeField(writer: Writer, field: Field, value: unknown): void {
  switch (field.as) {
    case 'string':
      writer.uint32(tag(field.number, 2)).string(String(value))
      return
    case 'strings':
      for (const each of asList(value)) writer.uint32(tag(field.number, 2)).string(String(each))
      return
    case 'bool':
      writer.uint32(tag(field.number, 0)).bool(value === true)
      return
    case 'int64':
      writer.uint32(tag(field.number, 0)).int64(Number(value))
      return
    case 'double':
      writer.uint32(tag(field.number, 1)).double(Number(value))
      return
    case 'any':
      nested(writer, field.number, () => writeAny(writer, value))
      return
    case 'anys':
      for (const each of asList(value)) nested(writer, field.number, () => writeAny(writer, each))
      return
    case 'message':
      nested(writer, field.number, () => writeMessage(writer, messages[field.message], asMembers(value)))
      return
    case 'messages':
      for (const each of asList(value)) {
        nested(writer, field.number, () => writeMessage(writer, messages[field.message], asMembers(each)))
      }
      return
    case 'named':
      writeNamed(writer, field, asMembers(value))
      return
    case 'wrapped':
      nested(writer, field.number, () => writeField(writer, field.inner, value))
      return
    case 'parameters':
      for (const each of asList(value)) nested(writer, field.number, () => writeParameter(writer, asMembers(each)))
  }
}

/** A JSON object whose keys are data: a list of pairs in a separate message. */
function writeNamed(writer: Writer, field: Field & { as: 'named' }, members: Readonly<Record<string, unknown>>): void {
  nested(writer, field.number, () => {
    for (const [name, member] of Object.entries(members)) writePair(writer, field, name, member)
  })
}

function writePair(writer: Writer, field: Field & { as: 'named' }, name: string, member: unknown): void {
  nested(writer, field.pairs, () => {
    writer.uint32(tag(1, 2)).string(name)
    writeField(writer, field.value, member)
  })
}

/** Parameters are written by their location: body, query or path. */
function writeParameter(writer: Writer, parameter: Readonly<Record<string, unknown>>): void {
  nested(writer, 1, () => {
    if (parameter.in === 'body') {
      nested(writer, 1, () => writeMessage(writer, messages.BodyParameter, parameter))
      return
    }
    const isPath = parameter.in === 'path'
    const shape = isPath ? messages.PathParameter : messages.QueryParameter
    nested(writer, 2, () => nested(writer, isPath ? 4 : 3, () => writeMessage(writer, shape, parameter)))
  })
}

function writeNamedAny(writer: Writer, number: number, name: string, value: unknown): void {
  nested(writer, number, () => {
    writer.uint32(tag(1, 2)).string(name)
    nested(writer, 2, () => writeAny(writer, value))
  })
}

/** Values of any shape are encoded as YAML text, and JSON is YAML. */
function writeAny(writer: Writer, value: unknown): void {
  writer.uint32(tag(2, 2)).string(`${JSON.stringify(value)}\n`)
}

function nested(writer: Writer, number: number, write: () => void): void {
  writer.uint32(tag(number, 2)).fork()
  write()
  writer.ldelim()
}

function tag(number: number, wireType: number): number {
  return (number << 3) | wireType
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}
