import { Client } from 'undici'
import type { Subject } from '../contract.ts'
import type { Asked, Lane } from './lane.ts'

/** Persistent connections with one request at a time on each, by undici. */
export async function openHttp1Lanes(subject: Subject, count: number): Promise<readonly Lane<Asked>[]> {
  const lanes = Array.from({ length: count }, () => new Http1Lane(subject))
  await Promise.all(lanes.map((lane) => lane.open()))
  return lanes
}

class Http1Lane implements Lane<Asked> {
  readonly #client: Client
  readonly #headers: Readonly<Record<string, string>>

  constructor({ host, port, authority: ca, token }: Subject) {
    this.#client = new Client(`https://${host}:${port}`, { connect: { ca }, allowH2: false, pipelining: 1 })
    this.#headers = { authorization: `Bearer ${token}`, 'user-agent': 'bench/1', accept: 'application/json' }
  }

  open(): Promise<void> {
    return new Promise((resolve) => this.send({ method: 'GET', path: '/version' }, () => resolve()))
  }

  send({ method, path, body }: Asked, onAnswer: Parameters<Lane<Asked>['send']>[1]): void {
    const headers = body === undefined ? this.#headers : { ...this.#headers, 'content-type': 'application/json' }
    let status = 0
    this.#client.dispatch(
      { method, path, headers, body: body ?? null },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, statusCode) => {
          status = statusCode
        },
        onResponseData: () => {},
        onResponseEnd: () => onAnswer({ status }),
        onResponseError: (_controller, error) => {
          throw error
        },
      },
    )
  }

  close(): void {
    void this.#client.destroy()
  }
}
