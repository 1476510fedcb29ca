import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Random } from '../random.ts'
import { crossSigned, issueAuthority, type KeyAndCertificate, type Validity } from './issue.ts'
import { pemBlocks, pemText } from './pem.ts'

const day = 24 * 3_600_000
const authorityDays = 3_650
/** Followed by when it was created. */
const authorityName = 'tenant-platform CA'
/**
 * Clocks of clients may be behind, and this one may be ahead, as on a machine that takes local time for UTC until it asks
 * a time server.
 */
const leewayMs = day

/**
 * The PEM text of an authority that has succeeded others: its certificate first, then the certificates that vouch for
 * it to clients that trust only a predecessor, then the predecessors. A predecessor is listed until its overlap ends,
 * which is when the cross-signed certificate expires.
 */
export interface AuthorityBundle {
  readonly signer: X509Certificate
  /** Shown to clients with each certificate that the authority signs. */
  readonly vouching: readonly X509Certificate[]
  /** An authority supplied by the operator may have others above it, which are included here. */
  readonly before: readonly X509Certificate[]
}

/** Leaves out certificates that have expired. */
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

/** One certificate vouches for the authority, the next for the signer of that certificate, and so on. */
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

/** The certificates that clients must trust: this authority and its predecessors. */
export function trustedText({ signer, before }: AuthorityBundle): string {
  return [signer, ...before].map(textOf).join('')
}

export function vouchingText({ vouching }: AuthorityBundle): string {
  return vouching.map(textOf).join('')
}

function bundleText({ signer, vouching, before }: AuthorityBundle): string {
  return [signer, ...vouching, ...before].map(textOf).join('')
}

export interface NextAuthorityOptions {
  readonly clock: Clock
  readonly random: Random
  /** How long clients that trust only the predecessor are served. Absent: as long as the predecessor is valid. */
  readonly overlapMs?: number | undefined
}

/** A new authority that replaces the given one, whose key is no longer needed. */
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

/** An authority that is valid for ten years. */
export function newAuthority(clock: Clock, random: Random): Promise<KeyAndCertificate> {
  const nowMs = clock.now()
  return issueAuthority(`${authorityName} ${nowMs}`, validityFrom(nowMs, authorityDays), random)
}

export function validityFrom(nowMs: number, days: number): Validity {
  return { notBeforeMs: nowMs - leewayMs, notAfterMs: nowMs + days * day }
}

/** When an authority issued by this program was created. */
export function madeAtMs(authority: X509Certificate): number {
  return Number(commonNameOf(authority).slice(authorityName.length))
}

/** For an authority issued by this program. */
export function commonNameOf({ subject }: X509Certificate): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? ''
}

function textOf({ raw }: X509Certificate): string {
  return pemText('CERTIFICATE', raw)
}
