import { get } from '../../attacks/transport/support/http1.ts'
import { type RawClient, tlsClient } from '../../server/raw-client.ts'
import { badRequest, goodRequest, type Making, whole } from './requests.ts'

const patienceMs = 2_000

/** Sends some requests over HTTP/1.1 in a random way. Resolves to their number when the connection has ended. */
export async function converseHttp1(port: number, making: Making): Promise<number> {
  const { chance, writes } = making
  const count = whole(chance, 1, 60)
  const requests: Buffer[] = Array.from({ length: count }, () => Buffer.from(goodRequest(making), 'latin1'))
  if (whole(chance, 0, 3) === 0) requests.splice(whole(chance, 0, count), 0, badRequest(making))
  requests.push(Buffer.from(get('/version', making.sender, 'Connection: close\r\n')))
  const client = await tlsClient(port)
  if (whole(chance, 0, 9) === 0) client.socket.pause()
  await send(client, Buffer.concat(requests), making)
  await leave(client, making)
  writes.noteAnswers(client.received)
  return count
}

/** All at once, or split anywhere. */
async function send({ socket }: RawClient, bytes: Buffer, { chance }: Making): Promise<void> {
  const cuts = chance.pick([0, 0, 1, 5, 40])
  let from = 0
  for (let cut = 0; cut < cuts && !socket.destroyed; cut += 1) {
    const to = whole(chance, from, bytes.length)
    socket.write(bytes.subarray(from, to))
    from = to
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (!socket.destroyed) socket.write(bytes.subarray(from))
}

/** Ends after all answers, by half-closing, or in the middle. */
async function leave(client: RawClient, { chance }: Making): Promise<void> {
  const { socket } = client
  const ending = whole(chance, 0, 5)
  if (ending === 0) socket.end()
  if (ending === 1) await new Promise((resolve) => setImmediate(resolve))
  if (ending !== 1 && !socket.isPaused()) await within(client.closed)
  client.destroy()
  await client.closed
}

/** Some conversations never end; missing answers are not the subject of this fuzz. */
async function within(promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, patienceMs)
  })
  await Promise.race([promise, late])
  clearTimeout(timer)
}
