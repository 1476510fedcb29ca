import { plainClient, tlsClient } from '../../server/raw-client.ts'
import { badRequest, type Making, randomBytes, whole } from './requests.ts'

/** Bytes that are hardly a request, after a valid handshake. */
export async function converseNonsense(port: number, making: Making): Promise<number> {
  const client = await tlsClient(port, making.chance.pick(['http/1.1', 'h2']))
  for (let times = whole(making.chance, 1, 4); times > 0; times -= 1)
    if (!client.socket.destroyed) client.socket.write(badRequest(making))
  await new Promise((resolve) => setImmediate(resolve))
  client.destroy()
  await client.closed
  return 1
}

/** Bytes that are hardly a handshake. */
export async function converseWithoutTls(port: number, { chance }: Making): Promise<number> {
  const client = await plainClient(port)
  const bytes = randomBytes(chance, 300)
  if (whole(chance, 0, 1) === 0) bytes[0] = 0x16
  client.socket.write(bytes)
  await new Promise((resolve) => setImmediate(resolve))
  client.destroy()
  await client.closed
  return 1
}
