import { chunked, get, head, measured, type Sender } from '../../attacks/transport/support/http1.ts'
import { configMaps } from '../../attacks/transport/support/victim.ts'
import type { Chance } from '../../support/chance.ts'
import type { Writes } from './writes.ts'

export interface Making {
  readonly chance: Chance
  readonly sender: Sender
  readonly writes: Writes
}

export function whole(chance: Chance, least: number, most: number): number {
  return Math.floor(chance.between(least, most + 1))
}

export function randomBytes(chance: Chance, most: number): Buffer {
  return Buffer.from(Array.from({ length: whole(chance, 1, most) }, () => whole(chance, 0, 255)))
}

export const paths: readonly [string, ...string[]] = [
  '/version',
  '/livez',
  '/api',
  '/nothing/here',
  `${configMaps}/absent`,
  '/apis',
  '/%zz',
  `${configMaps}?limit=1`,
]

/** A valid request for HTTP/1.1. Some of them write. */
export function goodRequest({ chance, sender, writes }: Making): string {
  const path = chance.pick(paths)
  switch (whole(chance, 0, 11)) {
    case 0:
      return measured('POST', configMaps, sender, writes.next().body)
    case 1:
      return chunked('POST', configMaps, sender, writes.next().body, whole(chance, 1, 40))
    case 2:
      return head('HEAD', path, sender)
    case 3:
      return head('OPTIONS', path, sender)
    case 4:
      return head('GET', path, sender, 'X-Twice: 1\r\nX-Twice: 2\r\nAccept-Encoding: gzip\r\n')
    case 5:
      return `GET ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc`
    case 6:
      return measured('POST', '/nothing/here', sender, '{}')
    default:
      return get(path, sender)
  }
}

/** An invalid or almost valid request, which never asks for a write. */
export function badRequest({ chance, sender }: Making): Buffer {
  const text = Buffer.from(get(chance.pick(paths), sender, chance.pick(oddHeaders)), 'latin1')
  switch (whole(chance, 0, 3)) {
    case 0:
      return randomBytes(chance, 2_000)
    case 1:
      return text.subarray(0, whole(chance, 1, text.length))
    case 2:
      return Buffer.concat([text.subarray(0, whole(chance, 1, text.length)), randomBytes(chance, 20), text])
    default:
      return damaged(chance, text)
  }
}

export function damaged(chance: Chance, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let times = whole(chance, 1, 8); times > 0; times -= 1)
    copy[whole(chance, 0, copy.length - 1)] = whole(chance, 0, 255)
  return copy
}

const oddHeaders: readonly [string, ...string[]] = [
  '',
  'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
  'Content-Length: 1\r\nContent-Length: 2\r\n',
  'Connection: Upgrade\r\nUpgrade: websocket\r\n',
  'Connection: close\r\n',
  'Expect: 100-continue\r\nContent-Length: 10\r\n',
  'Expect: something\r\n',
  'Transfer-Encoding: gzip\r\n',
  `${'X: y\r\n'.repeat(1_200)}`,
  `X: ${'y'.repeat(70_000)}\r\n`,
]
