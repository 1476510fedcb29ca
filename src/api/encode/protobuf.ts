import protobuf from 'protobufjs/minimal.js'
import { messageOf } from '../decode/protobuf-plan.ts'
import { protobufMagic, wire } from '../decode/protobuf-wire.ts'
import { parseApiVersion } from '../object.ts'
import { fieldBytes, messageBytes, tagOf } from './protobuf-message.ts'

/** The apiVersion and kind of an object. Some answers about the API itself have no version. */
export interface TypeName {
  readonly apiVersion: string
  readonly kind: string
}

type Fields = Readonly<Record<string, unknown>>

const metaV1 = 'k8s.io.apimachinery.pkg.apis.meta.v1'
const unknown = 'k8s.io.apimachinery.pkg.runtime.Unknown'
const rawTag = tagOf(2, wire.bytes)
/** Kubernetes writes two strings after the message that are always empty. */
const closing = Uint8Array.of(tagOf(3, wire.bytes), 0, tagOf(4, wire.bytes), 0)
const listMetadataNumber = 1
const listItemNumber = 2

/** An object of the message, in the envelope that names its type. */
export function protobufObject(type: TypeName, message: string, object: Fields): Uint8Array {
  const raw = messageBytes(message, object)
  return joined([envelopeOpening(type, raw.length), raw, closing])
}

/** A value that names its own type, such as a Status. */
export function protobufValue(value: object): Uint8Array {
  const fields: Fields = { ...value }
  const type = { apiVersion: String(fields.apiVersion ?? ''), kind: String(fields.kind) }
  const { group, version } = parseApiVersion(type.apiVersion)
  const message = messageOf(group, version, type.kind)
  if (message === undefined) throw new Error(`No protobuf message is known for ${type.kind} of "${type.apiVersion}".`)
  return protobufObject(type, message, fields)
}

/** The parts of a list before and after its items, which `protobufItem` encodes one by one. */
export function protobufList(
  type: TypeName,
  metadata: Fields,
  itemsLength: number,
): { readonly opening: Uint8Array; readonly closing: Uint8Array } {
  const head = fieldBytes(listMetadataNumber, `${metaV1}.ListMeta`, metadata)
  return { opening: joined([envelopeOpening(type, head.length + itemsLength), head]), closing }
}

export function protobufItem(message: string, object: Fields): Uint8Array {
  return fieldBytes(listItemNumber, message, object)
}

/** An event of a watch. It has no envelope, since its stream contains nothing else. */
export function protobufWatchEvent(type: string, object: Uint8Array): Uint8Array {
  const writer = protobuf.Writer.create()
  writer.uint32(tagOf(1, wire.bytes)).string(type)
  writer.uint32(tagOf(2, wire.bytes)).fork()
  writer.uint32(tagOf(1, wire.bytes)).bytes(object)
  return writer.ldelim().finish()
}

/** Everything before a message of that length. */
function envelopeOpening({ apiVersion, kind }: TypeName, rawLength: number): Uint8Array {
  const length = protobuf.Writer.create().uint32(rawTag).uint32(rawLength).finish()
  return joined([protobufMagic, messageBytes(unknown, { typeMeta: { apiVersion, kind } }), length])
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
