import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'

export const samlIssuer = 'https://idp.example.com/metadata'
export const ssoUrl = 'https://idp.example.com/sso'

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

export interface SigningPair {
  readonly certificate: string
  readonly privateKey: string
}

export function makeSigningPair(bits = 2048): SigningPair {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-saml-'))
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')]
  const made = [
    '-newkey',
    `rsa:${bits}`,
    '-nodes',
    '-subj',
    '/CN=idp',
    '-keyout',
    key,
    '-out',
    certificate,
    '-days',
    '2',
  ]
  execFileSync('openssl', ['req', '-x509', ...made], { stdio: 'pipe' })
  const pair = { certificate: readFileSync(certificate, 'utf8'), privateKey: readFileSync(key, 'utf8') }
  rmSync(directory, { recursive: true })
  return pair
}

/** The platform's request in the address to which it redirects the browser. */
export function requestIn(address: string) {
  const xml = inflateRawSync(Buffer.from(new URL(address).searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? ''
  return {
    xml,
    id: attribute('ID'),
    recipient: attribute('AssertionConsumerServiceURL'),
    audience: /<saml:Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? '',
  }
}

/** The content of an assertion. Absent fields have valid values. */
export interface Told {
  readonly id: string
  readonly recipient: string
  readonly audience: string
  readonly inResponseTo?: string
  readonly responseTo?: string
  readonly destination?: string
  readonly assertionId?: string
  readonly issuer?: string
  readonly nameId?: string
  readonly format?: string
  readonly nowMs?: number
  readonly attributes?: string
  /** When the session at the provider ends. */
  readonly sessionEndMs?: number
  readonly status?: string
}

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const minuteMs = 60_000

export function assertionOf(told: Told): string {
  const { recipient, audience, inResponseTo = told.id, assertionId = '_assertion-1', issuer = samlIssuer } = told
  const { nameId = 'ann-4711', format = persistent, nowMs = Date.now(), attributes = '' } = told
  const at = (offsetMs: number) => new Date(nowMs + offsetMs).toISOString()
  const sessionEnd =
    told.sessionEndMs === undefined ? '' : ` SessionNotOnOrAfter="${new Date(told.sessionEndMs).toISOString()}"`
  const data = `${inResponseTo === '' ? '' : `InResponseTo="${inResponseTo}" `}Recipient="${recipient}"`
  return (
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${assertionId}" Version="2.0" IssueInstant="${at(0)}">` +
    `<saml:Issuer>${issuer}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="${format}">${nameId}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">` +
    `<saml:SubjectConfirmationData ${data} NotOnOrAfter="${at(5 * minuteMs)}"/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${at(-minuteMs)}" NotOnOrAfter="${at(5 * minuteMs)}">` +
    `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${at(0)}" SessionIndex="s1"${sessionEnd}><saml:AuthnContext>` +
    `<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>` +
    `</saml:AuthnContext></saml:AuthnStatement>` +
    (attributes === '' ? '' : `<saml:AttributeStatement>${attributes}</saml:AttributeStatement>`) +
    '</saml:Assertion>'
  )
}

export function attributeOf(name: string, ...values: readonly string[]): string {
  const told = values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')
  return `<saml:Attribute Name="${name}">${told}</saml:Attribute>`
}

export function responseAround(told: Told, ...content: readonly string[]): string {
  const { recipient, responseTo = told.inResponseTo ?? told.id, destination = recipient } = told
  const { issuer = samlIssuer, status = 'Success' } = told
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_response-1" Version="2.0" ` +
    `IssueInstant="${new Date().toISOString()}" Destination="${destination}"${responseTo === '' ? '' : ` InResponseTo="${responseTo}"`}>` +
    `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${issuer}</saml:Issuer>` +
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>` +
    `${content.join('')}</samlp:Response>`
  )
}

export interface Signing {
  readonly privateKey: string
  readonly signatureAlgorithm?: string
  readonly digestAlgorithm?: string
  readonly transforms?: readonly string[]
}

/** The document with a signature of the element with that local name, after its issuer. */
export function signed(xml: string, element: 'Assertion' | 'Response', signing: Signing): string {
  const {
    signatureAlgorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    digestAlgorithm = 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms = [enveloped, exclusive],
  } = signing
  const signature = new SignedXml({
    privateKey: signing.privateKey,
    signatureAlgorithm,
    canonicalizationAlgorithm: exclusive,
  })
  const xpath = `//*[local-name(.)='${element}']`
  signature.addReference({ xpath, digestAlgorithm, transforms: [...transforms] })
  signature.computeSignature(xml, {
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
    prefix: 'ds',
  })
  return signature.getSignedXml()
}

export function signedAssertion(told: Told, signing: Signing): string {
  return signed(assertionOf(told), 'Assertion', signing)
}

/** The answer of an honest provider. */
export function answerTo(told: Told, signing: Signing): string {
  return responseAround(told, signedAssertion(told, signing))
}

export function encoded(xml: string): string {
  return Buffer.from(xml).toString('base64')
}
