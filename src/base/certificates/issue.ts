import { createHash, createPublicKey, generateKeyPair, type KeyObject, sign, type X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import type { Random } from '../random.ts'
import * as der from './der.ts'
import { pemText } from './pem.ts'
import type { AlternativeNames } from './signing-request.ts'
import { commonNameType, type SubjectAttribute } from './subject.ts'

/** A key and its certificate, both as PEM. */
export interface KeyAndCertificate {
  readonly key: string
  readonly cert: string
}

export interface Validity {
  readonly notBeforeMs: number
  readonly notAfterMs: number
}

const ecdsaWithSha256 = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'))

/** A new authority that signs itself. */
export async function issueAuthority(name: string, validity: Validity, random: Random): Promise<KeyAndCertificate> {
  const { privateKey, publicKey } = await newKey()
  const extensions = authorityExtensions(publicKey)
  const subject = distinguishedName(name)
  const body = { issuer: subject, subject, publicKey, validity, extensions }
  return { key: privatePem(privateKey), cert: signed(body, privateKey, random) }
}

/**
 * The same authority, vouched for by another one: a client that trusts only `signer` then trusts what this authority
 * signs.
 */
export function crossSigned(
  certificate: X509Certificate,
  name: string,
  signer: { readonly name: string; readonly key: KeyObject },
  validity: Validity,
  random: Random,
): string {
  const { publicKey } = certificate
  const extensions = [...authorityExtensions(publicKey), authorityKey(signer.key)]
  const names = { issuer: distinguishedName(signer.name), subject: distinguishedName(name) }
  return signed({ ...names, publicKey, validity, extensions }, signer.key, random)
}

function authorityExtensions(publicKey: KeyObject): readonly Buffer[] {
  return [
    extension('2.5.29.19', der.sequence(der.derBoolean(true)), true),
    extension('2.5.29.15', der.bitString(Buffer.from([0x06]), 7), true),
    subjectKey(publicKey),
  ]
}

/** A new key and certificate for a server reachable under the given names and addresses. */
export async function issueServer(
  names: readonly string[],
  authority: { readonly name: string; readonly key: KeyObject },
  validity: Validity,
  random: Random,
): Promise<KeyAndCertificate> {
  const { privateKey, publicKey } = await newKey()
  const extensions = [
    extension('2.5.29.19', der.sequence(), true),
    extension('2.5.29.15', der.bitString(Buffer.from([0x80]), 1), true),
    extension('2.5.29.37', der.sequence(der.objectIdentifier('1.3.6.1.5.5.7.3.1')), false),
    extension('2.5.29.17', der.sequence(...names.map(generalName)), false),
    subjectKey(publicKey),
    authorityKey(authority.key),
  ]
  const issuer = distinguishedName(authority.name)
  const body = { issuer, subject: distinguishedName(names[0] ?? 'server'), publicKey, validity, extensions }
  return { key: privatePem(privateKey), cert: signed(body, authority.key, random) }
}

/** What servers and clients use a key for. */
export type CertifiedUse = 'digital signature' | 'key encipherment' | 'client auth' | 'server auth'

export interface CertifiedKey {
  readonly subject: readonly SubjectAttribute[]
  readonly names: AlternativeNames
  readonly publicKey: KeyObject
  readonly uses: readonly CertifiedUse[]
}

/** A certificate for another party's key, as PEM. */
export function issueCertificate(
  { subject, names, publicKey, uses }: CertifiedKey,
  authority: { readonly name: string; readonly key: KeyObject },
  validity: Validity,
  random: Random,
): string {
  const alternatives = alternativeNames(names)
  const extensions = [
    extension('2.5.29.19', der.sequence(), true),
    ...keyUsage(uses),
    ...extendedKeyUsage(uses),
    ...(alternatives.length === 0 ? [] : [extension('2.5.29.17', der.sequence(...alternatives), false)]),
    subjectKey(publicKey),
    authorityKey(authority.key),
  ]
  const issuer = distinguishedName(authority.name)
  return signed({ issuer, subject: subjectName(subject), publicKey, validity, extensions }, authority.key, random)
}

const keyUsageBits: ReadonlyMap<CertifiedUse, number> = new Map([
  ['digital signature', 0x80],
  ['key encipherment', 0x20],
])

function keyUsage(uses: readonly CertifiedUse[]): readonly Buffer[] {
  const bits = uses.reduce((all, use) => all | (keyUsageBits.get(use) ?? 0), 0)
  if (bits === 0) return []
  const used = (bits & keyEncipherment) === 0 ? 1 : 3
  return [extension('2.5.29.15', der.bitString(Buffer.from([bits]), used), true)]
}

const keyEncipherment = 0x20
const extendedUses: ReadonlyMap<CertifiedUse, string> = new Map([
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
])

function extendedKeyUsage(uses: readonly CertifiedUse[]): readonly Buffer[] {
  const ids = uses.map((use) => extendedUses.get(use)).filter((id) => id !== undefined)
  return ids.length === 0 ? [] : [extension('2.5.29.37', der.sequence(...ids.map(der.objectIdentifier)), false)]
}

function alternativeNames({ dns, emails, addresses, uris }: AlternativeNames): readonly Buffer[] {
  return [
    ...dns.map((name) => der.implicit(2, Buffer.from(name))),
    ...emails.map((name) => der.implicit(1, Buffer.from(name))),
    ...addresses.map((name) => der.implicit(7, der.addressBytes(name))),
    ...uris.map((name) => der.implicit(6, Buffer.from(name))),
  ]
}

interface CertificateBody {
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly publicKey: KeyObject
  readonly validity: Validity
  readonly extensions: readonly Buffer[]
}

function signed(body: CertificateBody, signer: KeyObject, random: Random): string {
  const { issuer, subject, publicKey, validity, extensions } = body
  const toBeSigned = der.sequence(
    der.explicit(0, der.unsignedInteger(Buffer.from([2]))),
    der.unsignedInteger(random.bytes(16)),
    ecdsaWithSha256,
    issuer,
    der.sequence(der.derTime(validity.notBeforeMs), der.derTime(validity.notAfterMs)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(3, der.sequence(...extensions)),
  )
  const signature = sign('sha256', toBeSigned, signer)
  return pemText('CERTIFICATE', der.sequence(toBeSigned, ecdsaWithSha256, der.bitString(signature)))
}

function newKey(): Promise<{ readonly privateKey: KeyObject; readonly publicKey: KeyObject }> {
  return promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
}

function distinguishedName(commonName: string): Buffer {
  return subjectName([{ type: commonNameType, value: commonName }])
}

function subjectName(subject: readonly SubjectAttribute[]): Buffer {
  const parts = subject.map(({ type, value }) => der.sequence(der.objectIdentifier(type), der.utf8String(value)))
  return der.sequence(...parts.map((part) => der.set(part)))
}

function extension(id: string, value: Buffer, isCritical: boolean): Buffer {
  const critical = isCritical ? [der.derBoolean(true)] : []
  return der.sequence(der.objectIdentifier(id), ...critical, der.octetString(value))
}

function subjectKey(publicKey: KeyObject): Buffer {
  return extension('2.5.29.14', der.octetString(keyIdentifier(publicKey)), false)
}

function authorityKey(key: KeyObject): Buffer {
  return extension('2.5.29.35', der.sequence(der.implicit(0, keyIdentifier(createPublicKey(key)))), false)
}

function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20)
}

function generalName(name: string): Buffer {
  return isIP(name) === 0 ? der.implicit(2, Buffer.from(name)) : der.implicit(7, der.addressBytes(name))
}

function privatePem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}
