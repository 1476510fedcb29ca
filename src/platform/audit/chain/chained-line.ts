import { createHash, hash } from 'node:crypto'

/** The position of a line in its log. */
export interface ChainLink {
  /** Counts the lines of a log from 1. */
  readonly sequence: number
  /** SHA-256 in base64url over the previous hash, any bytes between the two lines, and this line up to its hash. */
  readonly hash: string
}

/** The link before the first line. */
export const chainStart: ChainLink = { sequence: 0, hash: '' }

/** The most bytes that a link adds to a line. */
const longestEnd = 100

const linkAtEnd = /,"seq":(\d{1,15}),"hash":"([\w-]{43})"\}\n$/

/**
 * `line` is a non-empty JSON object followed by a line break. `between`: bytes that a crash left since the previous
 * line.
 */
export function linkedLine(line: string, before: ChainLink, between: Buffer): { text: string; link: ChainLink } {
  const sequence = before.sequence + 1
  const body = `${line.slice(0, -2)},"seq":${sequence}`
  const link = { sequence, hash: linkHash(before, between, body) }
  return { text: `${body},"hash":"${link.hash}"}\n`, link }
}

/** The link that a line claims; undefined if it is not a line of a chain. */
export function readLink(line: Buffer): { readonly link: ChainLink; readonly body: Buffer } | undefined {
  const end = line.subarray(Math.max(0, line.length - longestEnd)).toString('latin1')
  const [, sequence, stated] = linkAtEnd.exec(end) ?? []
  if (sequence === undefined || stated === undefined) return undefined
  const body = line.subarray(0, line.length - `,"hash":"${stated}"}\n`.length)
  return { link: { sequence: Number(sequence), hash: stated }, body }
}

export function linkHash(before: ChainLink, between: Buffer, body: string | Buffer): string {
  if (between.length === 0 && typeof body === 'string') return hash('sha256', before.hash + body, 'base64url')
  return createHash('sha256').update(before.hash).update(between).update(body).digest('base64url')
}
