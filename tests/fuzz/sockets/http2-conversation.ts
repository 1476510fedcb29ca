import {
  flags,
  frame,
  frameTypes,
  goaway,
  headers,
  preface,
  requestFields,
  resetStream,
  settings,
  windowUpdate,
} from '../../attacks/transport/support/frames.ts'
import { type RawHttp2, rawHttp2 } from '../../attacks/transport/support/raw-http2.ts'
import { configMaps } from '../../attacks/transport/support/victim.ts'
import { damaged, type Making, paths, randomBytes, whole } from './requests.ts'

/** Sends some streams over HTTP/2 in a random way. Resolves to their number when the connection has ended. */
export async function converseHttp2(port: number, making: Making): Promise<number> {
  const { chance, writes } = making
  const opening = whole(chance, 0, 30) === 0 ? randomBytes(chance, 100) : Buffer.concat([preface, settings()])
  const client = await rawHttp2(port, opening)
  const count = whole(chance, 1, 60)
  // Data that is sent at once is read at once, and many faults appear only between such frames.
  const streamsAtOnce = chance.pick([1, 1, 5, 60])
  let waiting: Buffer[] = []
  for (let index = 0; index < count; index += 1) {
    waiting.push(...streamOf(2 * index + 1, making))
    if ((index + 1) % streamsAtOnce > 0 && index + 1 < count) continue
    client.send(...waiting)
    waiting = []
    if (whole(chance, 0, 10) === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await leave(client, 2 * count - 1, making)
  const data = client.frames.filter(({ type }) => type === frameTypes.data).map(({ payload }) => payload)
  writes.noteAnswers(Buffer.concat(data).toString('latin1'))
  return count
}

function streamOf(stream: number, making: Making): readonly Buffer[] {
  const { chance, sender, writes } = making
  const { token } = sender
  const path = chance.pick(paths)
  const asked = headers(stream, requestFields('GET', path, token))
  const type = [['content-type', 'application/json'] as const]
  switch (whole(chance, 0, 15)) {
    case 0:
    case 1: {
      const body = Buffer.from(writes.next().body)
      const at = whole(chance, 0, body.length)
      return [
        headers(stream, requestFields('POST', configMaps, token, type), flags.none),
        frame(frameTypes.data, flags.none, stream, body.subarray(0, at)),
        frame(frameTypes.data, flags.endStream, stream, body.subarray(at)),
      ]
    }
    case 2:
      return [asked, resetStream(stream)]
    case 3:
      return [headers(stream, requestFields('POST', '/nothing/here', token), flags.none)]
    case 4:
      return [headers(stream, requestFields('HEAD', path, token))]
    case 5:
      return [asked, frame(whole(chance, 2, 12), whole(chance, 0, 255), stream, randomBytes(chance, 40))]
    case 6:
      return whole(chance, 0, 5) === 0 ? [damaged(chance, asked)] : [asked]
    case 7:
      return [asked, windowUpdate(stream, whole(chance, 0, 100_000))]
    case 8:
      return whole(chance, 0, 5) === 0 ? [goaway(whole(chance, 0, 1)), asked] : [asked]
    case 9:
      return [headers(stream, requestFields('GET', path, whole(chance, 0, 5) === 0 ? '' : token))]
    default:
      return [asked]
  }
}

async function leave(client: RawHttp2, last: number, { chance }: Making): Promise<void> {
  const ending = whole(chance, 0, 4)
  if (ending === 0) client.socket.end()
  else if (ending > 1) {
    // The answer to this ping follows everything that was answered at once.
    client.send(frame(frameTypes.ping, flags.none, 0, Buffer.alloc(8)))
    await client.until(({ type, stream }) => type === frameTypes.ping || type === frameTypes.goaway || stream === last)
  }
  client.destroy()
  await client.closed
}
