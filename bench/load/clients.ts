import type { Subject } from '../contract.ts'
import { openHttp1Lanes } from './http1-lanes.ts'
import { openHttp2Lanes } from './http2-lanes.ts'
import type { Asked, Lane } from './lane.ts'

/** How real clients drive a server. */
export interface Client {
  readonly name: string
  readonly open: (subject: Subject) => Promise<readonly Lane<Asked>[]>
}

/** Each with ten concurrent requests. */
export const clients: readonly Client[] = [
  { name: 'HTTP/2', open: (subject) => openHttp2Lanes(subject, { connections: 2, streams: 5 }) },
  { name: 'HTTP/1.1', open: (subject) => openHttp1Lanes(subject, 10) },
]
