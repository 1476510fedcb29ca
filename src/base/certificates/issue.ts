import { createHash, createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import type { Random } from '../random.ts'
import * as der from './der.ts'

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
  const extensions = [
    extension('2.5.29.19', der.sequence(der.derBoolean(true)), true),
    extension('2.5.29.15', der.bitString(Buffer.from([0x06]), 7), true),
    subjectKey(publicKey),
  ]
  const subject = distinguishedName(name)
  const body = { issuer: subject, subject, publicKey, validity, extensions }
  return { key: privatePem(privateKey), cert: signed(body, privateKey, random) }
}

/** A new key for a server that is reached under the given names and addresses. */
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
    extension('2.5.29.35', der.sequence(der.implicit(0, keyIdentifier(createPublicKey(authority.key)))), false),
  ]
  const issuer = distinguishedName(authority.name)
  const body = { issuer, subject: distinguishedName(names[0] ?? 'server'), publicKey, validity, extensions }
  return { key: privatePem(privateKey), cert: signed(body, authority.key, random) }
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
  return certificatePem(der.sequence(toBeSigned, ecdsaWithSha256, der.bitString(signature)))
}

function newKey(): Promise<{ readonly privateKey: KeyObject; readonly publicKey: KeyObject }> {
  return promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
}

function distinguishedName(commonName: string): Buffer {
  return der.sequence(der.set(der.sequence(der.objectIdentifier('2.5.4.3'), der.utf8String(commonName))))
}

function extension(id: string, value: Buffer, isCritical: boolean): Buffer {
  const critical = isCritical ? [der.derBoolean(true)] : []
  return der.sequence(der.objectIdentifier(id), ...critical, der.octetString(value))
}

function subjectKey(publicKey: KeyObject): Buffer {
  return extension('2.5.29.14', der.octetString(keyIdentifier(publicKey)), false)
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

function certificatePem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
