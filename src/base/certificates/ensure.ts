import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { makeDirectory } from '../files/make-directory.ts'
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

/** Runs `make` while no other process changes files of the directory. */
export type MakeAlone = <T>(make: () => Promise<T>) => Promise<T>

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
  /** Absent: no other process uses the directory. */
  readonly makeAlone?: MakeAlone
}

/**
 * Returns a certificate signed by the given authority, or by the server's own, which is created on the first start and
 * kept. The authority stays the same, so that clients keep trusting it; the server's certificate is reissued when it is
 * about to expire or lacks a name.
 */
export async function ensureCertificates(options: CertificateOptions): Promise<ServerCertificate> {
  const { makeAlone = atOnce } = options
  return (await storedCertificates(options)) ?? makeAlone(() => madeCertificates(options))
}

/** Changes no file. Undefined if one is missing, must be renewed, or is being replaced by another process. */
async function storedCertificates(options: CertificateOptions): Promise<ServerCertificate | undefined> {
  const authority = options.authority ?? (await storedAuthority(ownAuthorityOf(options)))
  const server = authority && (await storedServer(options, authority))
  return authority && server && presented(options, authority, server)
}

async function madeCertificates(options: CertificateOptions): Promise<ServerCertificate> {
  makeDirectory(options.directory)
  const authority = options.authority ?? (await ensureAuthority(ownAuthorityOf(options)))
  await completePair(options.directory, options.name)
  return presented(
    options,
    authority,
    (await storedServer(options, authority)) ?? (await newServer(options, authority)),
  )
}

function presented(
  { authority: given, directory, clock }: CertificateOptions,
  authority: KeyAndCertificate,
  { key, cert }: KeyAndCertificate,
): ServerCertificate {
  const authorityFile = given?.file ?? join(directory, 'ca.crt')
  const bundle = readBundle(authority.cert, clock.now())
  return { key, certificate: cert + vouchingText(bundle), authority: trustedText(bundle), authorityFile }
}

const atOnce: MakeAlone = (make) => make()

interface AuthorityOptions extends Pick<CertificateOptions, 'directory' | 'clock' | 'random' | 'makeAlone'> {
  /** The base name of its files. */
  readonly name?: string
}

/**
 * Returns the server's own authority. It is created on the first start, kept, and succeeded by another in its last
 * year, which clients that trust the predecessor also trust. Its certificate is the first in the text.
 */
export async function ensureAuthority(options: AuthorityOptions): Promise<KeyAndCertificate> {
  const { makeAlone = atOnce } = options
  return (await storedAuthority(options)) ?? makeAlone(() => madeAuthority(options))
}

async function storedAuthority({
  directory,
  clock,
  name = 'ca',
}: AuthorityOptions): Promise<KeyAndCertificate | undefined> {
  const stored = await readPair(directory, name)
  return stored !== undefined && endOf(stored.cert) - clock.now() > serverDays * day ? stored : undefined
}

async function madeAuthority(options: AuthorityOptions): Promise<KeyAndCertificate> {
  const { directory, clock, random = systemRandom, name = 'ca' } = options
  makeDirectory(directory)
  await completePair(directory, name)
  const made = await storedAuthority(options)
  if (made !== undefined) return made
  const ending = await readPair(directory, name)
  return writePair(
    directory,
    name,
    ending === undefined ? await newAuthority(clock, random) : await followingAuthority(ending, { clock, random }),
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
  { directory, name: file, names, clock, random = systemRandom }: CertificateOptions,
  authority: KeyAndCertificate,
): Promise<KeyAndCertificate> {
  const name = commonNameOf(new X509Certificate(authority.cert))
  const issuer = { name, key: createPrivateKey(authority.key) }
  const validity = validityFrom(clock.now(), serverDays)
  return writePair(directory, file, await issueServer(allNames(names), issuer, validity, random))
}

async function storedServer(
  { directory, name, names, clock }: CertificateOptions,
  authority: KeyAndCertificate,
): Promise<KeyAndCertificate | undefined> {
  const stored = await readPair(directory, name)
  return stored !== undefined && isUsable(stored.cert, allNames(names), authority.cert, clock) ? stored : undefined
}

function allNames(names: readonly string[]): readonly string[] {
  return [...new Set([...alwaysNamed, ...names])]
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

function readPair(directory: string, name: string): Promise<KeyAndCertificate | undefined> {
  return readFiles(join(directory, `${name}.crt`), join(directory, `${name}.key`))
}

/** A process may have ended after the key was replaced but before the certificate was. */
async function completePair(directory: string, name: string): Promise<void> {
  if ((await readPair(directory, name)) !== undefined) return
  const certificate = join(directory, `${name}.crt`)
  const half = await readFiles(`${certificate}.new`, join(directory, `${name}.key`))
  if (half !== undefined) await rename(`${certificate}.new`, certificate)
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

/** Wherever the process ends in between, one of the two pairs is there after `completePair`. */
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
