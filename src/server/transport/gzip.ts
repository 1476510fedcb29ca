import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Request } from '../http.ts'

/** Fast rather than small: level 1 already takes most of what JSON repeats. */
const level = 1

export function gzipped(pieces: Iterable<Buffer>): AsyncIterable<Buffer> {
  return Readable.from(pieces).pipe(createGzip({ level }))
}

export function acceptsGzip({ headers }: Request): boolean {
  const accepted = headers['accept-encoding']
  if (typeof accepted !== 'string' || !accepted.includes('gzip')) return false
  return accepted.split(',').some((clause) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/.test(clause))
}
