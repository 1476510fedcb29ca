/**
 * Small requests and their answers, many on one stream: a stream of HTTP/2 for each costs more than answering it does.
 * A frame is its length, what it is, the number of the call, the length of its head, the head as JSON, and the body.
 */
export interface Frame {
  readonly type: FrameType
  readonly call: number
  readonly head: unknown
  readonly body: Buffer
}

/** `elsewhere`: the answer is fetched by a request of its own. */
export type FrameType = 'ask' | 'cancel' | 'answer' | 'elsewhere'

const types: readonly FrameType[] = ['ask', 'cancel', 'answer', 'elsewhere']
const prefixBytes = 13
export const maxFrameBytes = 256 * 1024
const nothing = Buffer.alloc(0)

export function encodeFrame(type: FrameType, call: number, head: unknown = null, body: Buffer = nothing): Buffer {
  const text = JSON.stringify(head)
  const headBytes = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(prefixBytes + headBytes + body.length)
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt8(types.indexOf(type), 4)
  frame.writeUInt32BE(call, 5)
  frame.writeUInt32BE(headBytes, 9)
  frame.write(text, prefixBytes)
  frame.set(body, prefixBytes + headBytes)
  return frame
}

/** Frames out of chunks that end anywhere. Throws on what is no frame. */
export class FrameReader {
  #rest: Buffer = nothing

  /** Bodies are part of the chunk: they are copied by whoever keeps them for long. */
  read(chunk: Buffer): readonly Frame[] {
    const all = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const frames: Frame[] = []
    let at = 0
    while (all.length - at >= prefixBytes) {
      const length = all.readUInt32BE(at)
      if (length < prefixBytes || length > maxFrameBytes) throw new Error('A frame has an impossible length.')
      if (all.length - at < length) break
      frames.push(decoded(all.subarray(at, at + length)))
      at += length
    }
    this.#rest = at === all.length ? nothing : all.subarray(at)
    return frames
  }
}

function decoded(frame: Buffer): Frame {
  const type = types[frame.readUInt8(4)]
  const bodyAt = prefixBytes + frame.readUInt32BE(9)
  if (type === undefined || bodyAt > frame.length) throw new Error('A frame says what it cannot be.')
  const head: unknown = JSON.parse(frame.toString('utf8', prefixBytes, bodyAt))
  return { type, call: frame.readUInt32BE(5), head, body: frame.subarray(bodyAt) }
}
