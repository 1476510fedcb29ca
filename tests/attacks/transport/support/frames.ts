/** HTTP/2 frame by frame, for frames that no library would send (RFC 9113, RFC 7541). */

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const

export const flags = { none: 0, endStream: 1, ack: 1, endHeaders: 4, padded: 8 } as const

export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

export function frame(type: number, flag: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flag, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

export function settings(pairs: readonly (readonly [id: number, value: number])[] = []): Buffer {
  const payload = Buffer.alloc(pairs.length * 6)
  for (const [index, [id, value]] of pairs.entries()) {
    payload.writeUInt16BE(id, index * 6)
    payload.writeUInt32BE(value, index * 6 + 2)
  }
  return frame(frameTypes.settings, flags.none, 0, payload)
}

/** The client's acknowledgment of the server's settings. */
export const settingsTaken = frame(frameTypes.settings, flags.ack, 0)

export const settingIds = { headerTableSize: 1, maxConcurrentStreams: 3, initialWindowSize: 4 } as const

export function resetStream(stream: number, code = 8): Buffer {
  return frame(frameTypes.resetStream, flags.none, stream, uint32(code))
}

export function goaway(code = 0, last = 0): Buffer {
  return frame(frameTypes.goaway, flags.none, 0, Buffer.concat([uint32(last), uint32(code)]))
}

export function windowUpdate(stream: number, increment: number): Buffer {
  return frame(frameTypes.windowUpdate, flags.none, stream, uint32(increment))
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export type Field = readonly [name: string, value: string]

/** Each field is a literal without indexing, so that no state is needed. */
export function headerBlock(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), literal(name), literal(value)]))
}

function literal(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  return Buffer.concat([integer(bytes.length, 7), bytes])
}

function integer(value: number, prefixBits: number): Buffer {
  const most = 2 ** prefixBits - 1
  if (value < most) return Buffer.from([value])
  const bytes = [most]
  let rest = value - most
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

export function requestFields(method: string, path: string, token: string, more: readonly Field[] = []): Field[] {
  const pseudo: Field[] = [
    [':method', method],
    [':scheme', 'https'],
    [':authority', 'x'],
    [':path', path],
  ]
  return [...pseudo, ...(token === '' ? [] : [['authorization', `Bearer ${token}`] satisfies Field]), ...more]
}

/** A whole head in one frame. */
export function headers(stream: number, fields: readonly Field[], flag: number = flags.endStream): Buffer {
  return frame(frameTypes.headers, flag | flags.endHeaders, stream, headerBlock(fields))
}

export interface Frame {
  readonly type: number
  readonly flag: number
  readonly stream: number
  readonly payload: Buffer
}

/** The complete frames in the received bytes. */
export function framesIn(received: Buffer): readonly Frame[] {
  const frames: Frame[] = []
  let at = 0
  while (received.length - at >= 9) {
    const length = received.readUIntBE(at, 3)
    if (received.length - at - 9 < length) break
    const type = received.readUInt8(at + 3)
    const flag = received.readUInt8(at + 4)
    const stream = received.readUInt32BE(at + 5) % 2 ** 31
    frames.push({ type, flag, stream, payload: received.subarray(at + 9, at + 9 + length) })
    at += 9 + length
  }
  return frames
}

/** Matches the server's setting of the maximum number of concurrent streams. */
export function allows(streams: number): (frame: Frame) => boolean {
  return ({ type, payload }) => {
    if (type !== frameTypes.settings) return false
    for (let at = 0; at + 6 <= payload.length; at += 6)
      if (payload.readUInt16BE(at) === settingIds.maxConcurrentStreams) return payload.readUInt32BE(at + 2) === streams
    return false
  }
}
