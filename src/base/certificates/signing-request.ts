import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { isIP } from 'node:net'
import type { CertificationRequest } from '@peculiar/asn1-csr'
import type { GeneralName } from '@peculiar/asn1-x509'
import { pemBlocks } from './pem.ts'
import type { SubjectAttribute } from './subject.ts'

/** What a PKCS #10 request asks for, once its signature has been verified. */
export interface SigningRequest {
  readonly subject: readonly SubjectAttribute[]
  readonly names: AlternativeNames
  readonly publicKey: KeyObject
}

export interface AlternativeNames {
  readonly dns: readonly string[]
  readonly emails: readonly string[]
  readonly addresses: readonly string[]
  readonly uris: readonly string[]
}

/** The label of a PEM block with a request. */
const requestLabel = 'CERTIFICATE REQUEST'

interface SignatureAlgorithm {
  readonly keyType: string
  /** Undefined: the algorithm implies it. */
  readonly digest: string | undefined
}

const algorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ['1.2.840.113549.1.1.11', { keyType: 'rsa', digest: 'sha256' }],
  ['1.2.840.113549.1.1.12', { keyType: 'rsa', digest: 'sha384' }],
  ['1.2.840.113549.1.1.13', { keyType: 'rsa', digest: 'sha512' }],
  ['1.2.840.10045.4.3.2', { keyType: 'ec', digest: 'sha256' }],
  ['1.2.840.10045.4.3.3', { keyType: 'ec', digest: 'sha384' }],
  ['1.2.840.10045.4.3.4', { keyType: 'ec', digest: 'sha512' }],
  ['1.3.101.112', { keyType: 'ed25519', digest: undefined }],
])

const extensionRequestType = '1.2.840.113549.1.9.14'
const alternativeNameType = '2.5.29.17'
const curves: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1'])
/** Smaller keys are no longer secure, and larger ones burden every server that verifies them. */
const rsaBits = { least: 2048, most: 8192 }

/** Throws an Error that says what is wrong with the request. */
export async function readSigningRequest(text: string): Promise<SigningRequest> {
  const [first] = pemBlocks(text)
  if (first?.label !== requestLabel) throw new Error(`PEM block type must be ${requestLabel}`)
  const library = await loadLibrary()
  const bytes = Buffer.from(first.base64, 'base64')
  const request = readable(() => library.parse(bytes))
  const publicKey = readable(() => createPublicKey({ key: library.keyBytes(request), format: 'der', type: 'spki' }))
  requireUsableKey(publicKey)
  requireSignature(request, library.signedBytes(request), publicKey)
  const names = sorted(readable(() => library.names(request)))
  requireAddresses(names)
  return { subject: readable(() => subjectOf(request)), names, publicKey }
}

let loading: Promise<ReturnType<typeof readersOf>> | undefined

/** Loaded on demand: most servers never see a request. */
function loadLibrary() {
  loading ??= Promise.all([
    import('@peculiar/asn1-schema'),
    import('@peculiar/asn1-csr'),
    import('@peculiar/asn1-x509'),
  ]).then(readersOf)
  return loading
}

function readersOf([schema, csr, x509]: [
  typeof import('@peculiar/asn1-schema'),
  typeof import('@peculiar/asn1-csr'),
  typeof import('@peculiar/asn1-x509'),
]) {
  const { AsnConvert } = schema
  return {
    parse: (bytes: Buffer) => AsnConvert.parse(bytes, csr.CertificationRequest),
    keyBytes: (request: CertificationRequest) =>
      Buffer.from(AsnConvert.serialize(request.certificationRequestInfo.subjectPKInfo)),
    signedBytes: ({ certificationRequestInfoRaw: raw, certificationRequestInfo: parsed }: CertificationRequest) =>
      Buffer.from(raw ?? AsnConvert.serialize(parsed)),
    names: (request: CertificationRequest): readonly GeneralName[] =>
      request.certificationRequestInfo.attributes
        .filter(({ type }) => type === extensionRequestType)
        .flatMap(({ values }) => values.flatMap((value) => [...AsnConvert.parse(value, x509.Extensions)]))
        .filter(({ extnID }) => extnID === alternativeNameType)
        .flatMap(({ extnValue }) => [...AsnConvert.parse(extnValue, x509.SubjectAlternativeName)]),
  }
}

function readable<T>(read: () => T): T {
  try {
    return read()
  } catch {
    throw new Error('the certificate request cannot be read: it is not PKCS #10 in DER')
  }
}

function requireUsableKey({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): void {
  if (type === 'ed25519') return
  if (type === 'ec' && curves.has(details?.namedCurve ?? '')) return
  if (type !== 'rsa') {
    throw new Error(
      'the public key is of a type that is not supported: use RSA, ECDSA (P-256, P-384, P-521) or Ed25519',
    )
  }
  const bits = details?.modulusLength ?? 0
  if (bits >= rsaBits.least && bits <= rsaBits.most) return
  throw new Error(`the RSA key has ${bits} bits: use ${rsaBits.least} to ${rsaBits.most}`)
}

/** Only the owner of a key may ask for a certificate for it. */
function requireSignature(request: CertificationRequest, signed: Buffer, key: KeyObject): void {
  const algorithm = algorithms.get(request.signatureAlgorithm.algorithm)
  if (algorithm === undefined || algorithm.keyType !== key.asymmetricKeyType) {
    throw new Error('the signature algorithm of the certificate request is not supported: use SHA-256 or stronger')
  }
  const isGenuine = verify(algorithm.digest, signed, key, Buffer.from(request.signature))
  if (!isGenuine) throw new Error('the signature of the certificate request is not that of its key')
}

function subjectOf({ certificationRequestInfo: { subject } }: CertificationRequest): readonly SubjectAttribute[] {
  return [...subject].flatMap((parts) => [...parts].map(({ type, value }) => ({ type, value: value.toString() })))
}

/** Addresses of an invalid length are decoded as text that is no IP address. */
function requireAddresses({ addresses }: AlternativeNames): void {
  if (addresses.every((address) => isIP(address) !== 0)) return
  throw new Error('an IP address in the certificate request has neither 4 nor 16 bytes')
}

function sorted(names: readonly GeneralName[]): AlternativeNames {
  const textsOf = (read: (name: GeneralName) => string | undefined) =>
    names.map(read).filter((name) => name !== undefined)
  return {
    dns: textsOf(({ dNSName }) => dNSName),
    emails: textsOf(({ rfc822Name }) => rfc822Name),
    addresses: textsOf(({ iPAddress }) => iPAddress),
    uris: textsOf(({ uniformResourceIdentifier }) => uniformResourceIdentifier),
  }
}
