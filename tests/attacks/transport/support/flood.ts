import type { RawHttp2 } from './raw-http2.ts'

const batch = 200

/** Sends as long as the server reads. Resolves to the amount that was sent. */
export async function flood(client: RawHttp2, count: number, bytesOf: (index: number) => Buffer): Promise<number> {
  for (let index = 0; index < count; index += batch) {
    const bytes = Array.from({ length: batch }, (_, at) => bytesOf(index + at))
    if (!(await client.sendAll(Buffer.concat(bytes)))) return index
  }
  return count
}
