import { type RawClient, tlsClient } from '../../server/raw-client.ts'
import { goodRequest, type Making, whole } from './requests.ts'

const mostHeld = 40

/** Slow connections: they stay open beside the others, and occasionally send a byte. */
export class Held {
  #clients: { readonly client: RawClient; rest: Buffer }[] = []

  async add(port: number, making: Making): Promise<number> {
    const client = await tlsClient(port, making.chance.pick(['http/1.1', 'h2']))
    this.#clients.push({ client, rest: Buffer.from(goodRequest(making), 'latin1') })
    if (this.#clients.length > mostHeld) this.#clients.shift()?.client.destroy()
    return 1
  }

  step({ chance }: Making): void {
    for (const held of this.#clients) {
      if (held.client.socket.destroyed || whole(chance, 0, 3) > 0) continue
      held.client.socket.write(held.rest.subarray(0, 1))
      held.rest = held.rest.subarray(1)
    }
  }

  close(): void {
    for (const { client } of this.#clients.splice(0)) client.destroy()
  }
}
