import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Random } from '../random.ts'
import { crossSigned, issueAuthority, type KeyAndCertificate, type Validity } from './issue.ts'
import { pemBlocks, pemText } from './pem.ts'

const day = 24 * 3_600_000
const authorityDays = 3_650
/** Clocks of clients may be a little behind. */
const leewayMs = 3_600_000

/**
 * The text of an authority that has followed others: its own certificate first, then what vouches for it to those who trust
 * one of the others alone, then the others themselves. Each authority before is named until its overlap ends, which is
 * when the certificate that it has signed does.
 */
export interface AuthorityBundle {
  readonly signer: X509Certificate
  /** Shown to clients with each certificate that the authority signs. */
  readonly vouching: readonly X509Certificate[]
  /** An authority that was given may have others above it, which are here as well. */
  readonly before: readonly X509Certificate[]
}

/** What is over is left out. */
export function readBundle(text: string, nowMs: number): AuthorityBundle {
  const blocks = pemBlocks(text).filter(({ label }) => label === 'CERTIFICATE')
  const [signer, ...others] = blocks.map(({ base64 }) => new X509Certificate(Buffer.from(base64, 'base64')))
  if (signer === undefined) throw new Error('The text of an authority holds no certificate.')
  const all = vouchingFor(signer, others)
  const over = all.findIndex(({ validTo }) => Date.parse(validTo) <= nowMs)
  const vouching = over < 0 ? all : all.slice(0, over)
  const ended = all.slice(vouching.length).map(({ issuer }) => issuer)
  const before = others.filter((each) => !all.includes(each) && !ended.includes(each.subject))
  return { signer, vouching, before }
}

/** One vouches for the authority, the next for whom that one was signed by, and so on. */
function vouchingFor(signer: X509Certificate, others: readonly X509Certificate[]): readonly X509Certificate[] {
  const found: X509Certificate[] = []
  let { subject: wanted } = signer
  for (;;) {
    const next = others.find(({ subject, issuer }) => subject === wanted && issuer !== subject)
    if (next === undefined || found.includes(next)) return found
    found.push(next)
    wanted = next.issuer
  }
}

/** What clients are to trust: this authority, and those that it has followed. */
export function trustedText({ signer, before }: AuthorityBundle): string {
  return [signer, ...before].map(textOf).join('')
}

export function vouchingText({ vouching }: AuthorityBundle): string {
  return vouching.map(textOf).join('')
}

export function bundleText({ signer, vouching, before }: AuthorityBundle): string {
  return [signer, ...vouching, ...before].map(textOf).join('')
}

export interface NextAuthorityOptions {
  readonly clock: Clock
  readonly random: Random
  /** How long clients that trust the one before alone are served. Absent: as long as that one is valid. */
  readonly overlapMs?: number | undefined
}

/** A new authority in place of the given one, whose key is not needed any more. */
export async function followingAuthority(
  { key, cert }: KeyAndCertificate,
  { clock, random, overlapMs = Number.POSITIVE_INFINITY }: NextAuthorityOptions,
): Promise<KeyAndCertificate> {
  const nowMs = clock.now()
  const { signer: last, vouching, before } = readBundle(cert, nowMs)
  const next = await newAuthority(clock, random)
  const signer = new X509Certificate(next.cert)
  const notAfterMs = Math.min(Date.parse(last.validTo), nowMs + overlapMs)
  if (notAfterMs <= nowMs) return next
  const issuer = { name: commonNameOf(last), key: createPrivateKey(key) }
  const validity = { notBeforeMs: nowMs - leewayMs, notAfterMs }
  const vouched = new X509Certificate(crossSigned(signer, commonNameOf(signer), issuer, validity, random))
  const bundle = { signer, vouching: [vouched, ...vouching], before: [last, ...before] }
  return { key: next.key, cert: bundleText(bundle) }
}

/** An authority that clients can trust for ten years. */
export function newAuthority(clock: Clock, random: Random): Promise<KeyAndCertificate> {
  const nowMs = clock.now()
  return issueAuthority(`tenant-platform CA ${nowMs}`, validityFrom(nowMs, authorityDays), random)
}

export function validityFrom(nowMs: number, days: number): Validity {
  return { notBeforeMs: nowMs - leewayMs, notAfterMs: nowMs + days * day }
}

/** When an authority of our own was made, to the second. */
export function madeAtMs({ validFrom }: X509Certificate): number {
  return Date.parse(validFrom) + leewayMs
}

/** Of an authority of our own. */
export function commonNameOf({ subject }: X509Certificate): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? ''
}

function textOf({ raw }: X509Certificate): string {
  return pemText('CERTIFICATE', raw)
}
