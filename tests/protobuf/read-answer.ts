import protobuf from 'protobufjs/minimal.js'
import { decodeProtobuf } from '../../src/api/decode/protobuf.ts'

export const protobufType = 'application/vnd.kubernetes.protobuf'

/** An answer in protobuf as a client decodes it. */
export function readAnswer(bytes: Uint8Array): unknown {
  return decodeProtobuf(bytes, { kind: 'answer' }).value
}

export interface ReadEvent {
  readonly type: string
  readonly object: unknown
}

/** The events of a watch in protobuf that have arrived so far. */
export function readFrames(bytes: Buffer): readonly ReadEvent[] {
  const events: ReadEvent[] = []
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    events.push(readEvent(bytes.subarray(at + 4, end)))
    at = end
  }
  return events
}

/** A type, and a message around the bytes of the object. */
function readEvent(bytes: Uint8Array): ReadEvent {
  const reader = protobuf.Reader.create(bytes)
  expectTag(reader, 0x0a)
  const type = reader.string()
  expectTag(reader, 0x12)
  const around = protobuf.Reader.create(reader.bytes())
  expectTag(around, 0x0a)
  const object = readAnswer(around.bytes())
  if (reader.pos !== reader.len || around.pos !== around.len) throw new Error('something follows an event')
  return { type, object }
}

function expectTag(reader: protobuf.Reader, tag: number): void {
  const found = reader.uint32()
  if (found !== tag) throw new Error(`tag ${found} instead of ${tag}`)
}
