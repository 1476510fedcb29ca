import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { makeDirectory } from '../make-directory.ts'
import { type Random, systemRandom } from '../random.ts'
import {
  commonNameOf,
  followingAuthority,
  newAuthority,
  readBundle,
  trustedText,
  validityFrom,
  vouchingText,
} from './authority-bundle.ts'
import { issueServer, type KeyAndCertificate } from './issue.ts'

const day = 24 * 3_600_000
const serverDays = 365
/** A server certificate is renewed when it has less than this left. */
const renewDays = 30
const alwaysNamed = ['localhost', '127.0.0.1', '::1']

/** PEM texts: what the server presents, and what clients need to trust it. */
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
  /** Who signs. Absent: the server's own authority, kept in the directory. */
  readonly authority?: GivenAuthority | undefined
  readonly clock: Clock
  readonly random?: Random
}

/**
 * Returns a certificate signed by the given authority, or by the server's own, which is created on the first start and
 * kept. The authority stays the same, so that clients keep trusting it; the server's certificate is reissued when it is
 * about to expire or lacks a name.
 */
export async function ensureCertificates(options: CertificateOptions): Promise<ServerCertificate> {
  makeDirectory(options.directory)
  const names = [...new Set([...alwaysNamed, ...options.names])]
  const authority = options.authority ?? (await ensureAuthority(ownAuthorityOf(options)))
  const stored = await readPair(options.directory, options.name)
  const server =
    stored !== undefined && isUsable(stored.cert, names, authority.cert, options.clock) ? stored : undefined
  const { key, cert } = server ?? (await newServer(options, authority, names))
  const authorityFile = options.authority?.file ?? join(options.directory, 'ca.crt')
  const bundle = readBundle(authority.cert, options.clock.now())
  return { key, certificate: cert + vouchingText(bundle), authority: trustedText(bundle), authorityFile }
}

interface AuthorityOptions extends Pick<CertificateOptions, 'directory' | 'clock' | 'random'> {
  /** The base name of its files. */
  readonly name?: string
}

/**
 * Returns the server's own authority. It is created on the first start, kept, and succeeded by another in its last
 * year, which clients that trust the predecessor also trust. Its certificate is the first in the text.
 */
export async function ensureAuthority(options: AuthorityOptions): Promise<KeyAndCertificate> {
  const { directory, clock, random = systemRandom, name = 'ca' } = options
  const stored = await readPair(directory, name)
  if (stored !== undefined && endOf(stored.cert) - clock.now() > serverDays * day) return stored
  makeDirectory(directory)
  return writePair(
    directory,
    name,
    stored === undefined ? await newAuthority(clock, random) : await followingAuthority(stored, { clock, random }),
  )
}

/**
 * Makes another authority sign from now on. Without `overlapMs`, clients that trust only the predecessor are served as
 * long as the predecessor is valid.
 */
export async function replaceAuthority(options: AuthorityOptions, overlapMs?: number): Promise<void> {
  const { directory, clock, random = systemRandom, name = 'ca' } = options
  const stored = await ensureAuthority(options)
  await writePair(directory, name, await followingAuthority(stored, { clock, random, overlapMs }))
}

/** Makes the server issue a new certificate at its next check. */
export async function endServerCertificate(directory: string, name: string): Promise<void> {
  await rm(join(directory, `${name}.crt`), { force: true })
}

function ownAuthorityOf({ directory, clock, random }: CertificateOptions): AuthorityOptions {
  return random === undefined ? { directory, clock } : { directory, clock, random }
}

async function newServer(
  { directory, name: file, clock, random = systemRandom }: CertificateOptions,
  authority: KeyAndCertificate,
  names: readonly string[],
): Promise<KeyAndCertificate> {
  const name = commonNameOf(new X509Certificate(authority.cert))
  const issuer = { name, key: createPrivateKey(authority.key) }
  return writePair(directory, file, await issueServer(names, issuer, validityFrom(clock.now(), serverDays), random))
}

function endOf(pem: string): number {
  return Date.parse(new X509Certificate(pem).validTo)
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
  const certificate = join(directory, `${name}.crt`)
  const pair = await readFiles(certificate, join(directory, `${name}.key`))
  if (pair !== undefined) return pair
  // The process ended after the key was replaced but before the certificate was.
  const half = await readFiles(`${certificate}.new`, join(directory, `${name}.key`))
  if (half !== undefined) await rename(`${certificate}.new`, certificate)
  return half
}

async function readFiles(certificate: string, keyFile: string): Promise<KeyAndCertificate | undefined> {
  try {
    const [cert, key] = await Promise.all([readFile(certificate, 'utf8'), readFile(keyFile, 'utf8')])
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)) ? { cert, key } : undefined
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && 'code' in error && error.code !== 'ENOENT') throw error
    return undefined
  }
}

/** Wherever the process ends in between, `readPair` finds one of the two pairs. */
async function writePair(directory: string, name: string, pair: KeyAndCertificate): Promise<KeyAndCertificate> {
  const certificate = await draftOf(join(directory, `${name}.crt`), pair.cert, 0o644)
  const key = await draftOf(join(directory, `${name}.key`), pair.key, 0o600)
  await rename(key, join(directory, `${name}.key`))
  await rename(certificate, join(directory, `${name}.crt`))
  return pair
}

/** Never writes into an existing file: it may belong to another user. */
async function draftOf(path: string, content: string, mode: number): Promise<string> {
  const draft = `${path}.new`
  await rm(draft, { force: true })
  await writeFile(draft, content, { mode, flag: 'wx' })
  return draft
}
