import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Request } from '../http.ts'

/** Favors speed over size: level 1 already removes most of the repetition in JSON. */
const level = 1

export function gzipped(pieces: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  return Readable.from(copiesOf(pieces)).pipe(createGzip({ level }))
}

/** A stream reads ahead, while pieces are not kept for it. */
async function* copiesOf(pieces: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece)
}

export function acceptsGzip({ headers }: Request): boolean {
  const accepted = headers['accept-encoding']
  if (typeof accepted !== 'string' || !accepted.includes('gzip')) return false
  return accepted.split(',').some((clause) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/.test(clause))
}
