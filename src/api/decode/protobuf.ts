import { JsonSyntaxError, TooMuchError } from '../../base/json/error.ts'
import { ValueCount } from '../../base/json/limits.ts'
import { badRequest, tooLarge } from '../error.ts'
import { parseApiVersion } from '../object.ts'
import type { ParsedBody } from './contract.ts'
import { ProtobufError } from './protobuf-error.ts'
import { decodeMessage } from './protobuf-message.ts'
import { messageOf } from './protobuf-plan.ts'
import { protobufMagic, readAll, readBytes, readText } from './protobuf-wire.ts'

/** What is expected. `protobufMessage` is used for a body that does not name its type. */
interface Expected {
  readonly kind: string
  readonly protobufMessage?: string
  /** Versions that are no longer served, with the same message: `group/version`. */
  readonly olderVersions?: readonly string[]
}

interface Envelope {
  readonly apiVersion: string
  readonly kind: string
  readonly raw: Uint8Array
}

const typeMetaField = 1
const rawField = 2
const empty: Uint8Array = new Uint8Array(0)

/** A protobuf body of a builtin kind, as the JSON that the same client would have sent. Throws ApiError. */
export function decodeProtobuf(bytes: Uint8Array, expected: Expected): ParsedBody {
  try {
    const { apiVersion, kind, raw } = readEnvelope(bytes)
    const message = messageFor(apiVersion, kind, expected)
    const members = readAll(raw, (reader) => decodeMessage(message, reader, reader.len))
    const typeMeta = { ...(apiVersion === '' ? {} : { apiVersion }), ...(kind === '' ? {} : { kind }) }
    return { value: { ...typeMeta, ...members }, duplicateFields: [], text: '' }
  } catch (error) {
    if (error instanceof TooMuchError) throw tooLarge(`Request entity too large: ${error.message}`)
    if (!(error instanceof ProtobufError) && !(error instanceof JsonSyntaxError)) throw error
    throw badRequest(`the object provided is unrecognized (must be of type ${expected.kind}): ${error.message}`)
  }
}

function messageFor(apiVersion: string, kind: string, expected: Expected): string {
  const { group, version } = parseApiVersion(apiVersion)
  const isOlder = kind === expected.kind && expected.olderVersions?.includes(apiVersion) === true
  const message = kind === '' || isOlder ? expected.protobufMessage : messageOf(group, version, kind)
  if (message !== undefined) return message
  throw new ProtobufError(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`)
}

/** Four magic bytes, then the names of version and kind around the message itself. */
function readEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length < protobufMagic.length || protobufMagic.some((byte, at) => bytes[at] !== byte)) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${protobufMagic.join(' ')}]`,
    )
  }
  const envelope = { typeMeta: empty, raw: empty }
  readFields(bytes.subarray(protobufMagic.length), (number, value) => {
    if (number === typeMetaField) envelope.typeMeta = value
    if (number === rawField) envelope.raw = value
  })
  return { ...readTypeMeta(envelope.typeMeta), raw: envelope.raw }
}

function readTypeMeta(bytes: Uint8Array): { apiVersion: string; kind: string } {
  const names = ['', '', '']
  const count = new ValueCount()
  readAll(bytes, (reader) => {
    while (reader.pos < reader.len) {
      count.add()
      const tag = reader.uint32()
      if (tag === 0x0a || tag === 0x12) names[tag >>> 3] = readText(reader)
      else reader.skipType(tag & 7, 0, tag >>> 3)
    }
  })
  return { apiVersion: names[1] ?? '', kind: names[2] ?? '' }
}

/** Calls back for every length-delimited field, in order. */
function readFields(bytes: Uint8Array, take: (number: number, value: Uint8Array) => void): void {
  const count = new ValueCount()
  readAll(bytes, (reader) => {
    while (reader.pos < reader.len) {
      count.add()
      const tag = reader.uint32()
      if ((tag & 7) === 2) take(tag >>> 3, readBytes(reader))
      else reader.skipType(tag & 7, 0, tag >>> 3)
    }
  })
}
