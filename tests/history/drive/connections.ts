import { Http1Transport } from './http1.ts'
import { Http2Transport } from './http2.ts'
import type { Endpoint, Transport } from './transport.ts'

export interface NamedTransport {
  readonly server: string
  readonly transport: Transport
}

/** One transport for each server. */
export type Transports = readonly [NamedTransport, ...NamedTransport[]]

/** The open connections of the clients of one round. */
export class Connections {
  readonly #endpoints: readonly Endpoint[]
  readonly #opened: Transport[] = []

  constructor(endpoints: readonly Endpoint[]) {
    this.#endpoints = endpoints
  }

  open(protocol: 'http1' | 'http2'): Transports {
    const [first, ...others] = this.#endpoints.map((endpoint) => {
      const transport = protocol === 'http1' ? new Http1Transport(endpoint) : new Http2Transport(endpoint)
      this.#opened.push(transport)
      return { server: endpoint.name, transport }
    })
    if (first === undefined) throw new Error('a round needs a server')
    return [first, ...others]
  }

  close(): void {
    for (const transport of this.#opened) transport.close()
  }
}
