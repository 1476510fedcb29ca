import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { type Random, systemRandom } from '../random.ts'
import { issueAuthority, issueServer, type KeyAndCertificate } from './issue.ts'

const day = 24 * 3_600_000
const authorityDays = 3_650
const serverDays = 365
/** A server certificate is replaced when less than this is left of it. */
const renewDays = 30
/** Clocks of clients may be a little behind. */
const leewayMs = 3_600_000
const alwaysNamed = ['localhost', '127.0.0.1', '::1']

/** PEM texts: what the server shows, and what clients need to trust it. */
export interface ServerCertificate {
  readonly key: string
  readonly certificate: string
  readonly authority: string
  readonly authorityFile: string
}

export interface GivenAuthority extends KeyAndCertificate {
  readonly file: string
}

export interface CertificateOptions {
  readonly directory: string
  /** Distinguishes the servers that share the authority of one directory. */
  readonly name: string
  /** Names and addresses besides localhost. */
  readonly names: readonly string[]
  /** Who signs. Absent: an authority of our own, kept in the directory. */
  readonly authority?: GivenAuthority | undefined
  readonly clock: Clock
  readonly random?: Random
}

/**
 * A certificate of an authority that was given or of our own, which is made on the first start and kept. The authority
 * stays, so that clients that trust it go on doing so; the server's certificate is made anew when it runs out or lacks a name.
 */
export async function ensureCertificates(options: CertificateOptions): Promise<ServerCertificate> {
  await mkdir(options.directory, { recursive: true, mode: 0o700 })
  const names = [...new Set([...alwaysNamed, ...options.names])]
  const authority = options.authority ?? (await ensureAuthority(options))
  const stored = await readPair(options.directory, options.name)
  const server =
    stored !== undefined && isUsable(stored.cert, names, authority.cert, options.clock) ? stored : undefined
  const { key, cert } = server ?? (await newServer(options, authority, names))
  const authorityFile = options.authority?.file ?? join(options.directory, 'ca.crt')
  return { key, certificate: cert, authority: authority.cert, authorityFile }
}

async function ensureAuthority(options: CertificateOptions): Promise<KeyAndCertificate> {
  const stored = await readPair(options.directory, 'ca')
  const nowMs = options.clock.now()
  if (stored !== undefined && Date.parse(new X509Certificate(stored.cert).validTo) - nowMs > serverDays * day)
    return stored
  return writePair(options.directory, 'ca', await newAuthority(options.clock, options.random))
}

/** An authority that clients can trust for ten years. */
export function newAuthority(clock: Clock, random: Random = systemRandom): Promise<KeyAndCertificate> {
  const nowMs = clock.now()
  return issueAuthority(`tenant-platform CA ${nowMs}`, validity(nowMs, authorityDays), random)
}

async function newServer(
  { directory, name: file, clock, random = systemRandom }: CertificateOptions,
  authority: KeyAndCertificate,
  names: readonly string[],
): Promise<KeyAndCertificate> {
  const name = commonNameOf(new X509Certificate(authority.cert))
  const issuer = { name, key: createPrivateKey(authority.key) }
  return writePair(directory, file, await issueServer(names, issuer, validity(clock.now(), serverDays), random))
}

function validity(nowMs: number, days: number) {
  return { notBeforeMs: nowMs - leewayMs, notAfterMs: nowMs + days * day }
}

function commonNameOf({ subject }: X509Certificate): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? ''
}

function isUsable(pem: string, names: readonly string[], authorityPem: string, clock: Clock): boolean {
  const certificate = new X509Certificate(pem)
  const nowMs = clock.now()
  return (
    Date.parse(certificate.validTo) - nowMs > renewDays * day &&
    Date.parse(certificate.validFrom) <= nowMs &&
    certificate.verify(new X509Certificate(authorityPem).publicKey) &&
    names.every((name) => covers(certificate, name))
  )
}

function covers(certificate: X509Certificate, name: string): boolean {
  return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined
}

async function readPair(directory: string, name: string): Promise<KeyAndCertificate | undefined> {
  try {
    const [cert, key] = await Promise.all([
      readFile(join(directory, `${name}.crt`), 'utf8'),
      readFile(join(directory, `${name}.key`), 'utf8'),
    ])
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)) ? { cert, key } : undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EISDIR')) throw error
    return undefined
  }
}

async function writePair(directory: string, name: string, pair: KeyAndCertificate): Promise<KeyAndCertificate> {
  await replaceFile(join(directory, `${name}.key`), pair.key, 0o600)
  await replaceFile(join(directory, `${name}.crt`), pair.cert, 0o644)
  return pair
}

/** Never half-written, whatever happens in between, nor into a file that is there already: it may be another's. */
async function replaceFile(path: string, content: string, mode: number): Promise<void> {
  await rm(`${path}.new`, { force: true })
  await writeFile(`${path}.new`, content, { mode, flag: 'wx' })
  await rename(`${path}.new`, path)
}
