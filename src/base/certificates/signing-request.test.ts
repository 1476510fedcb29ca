import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeRequest, type RequestOptions } from '../../../tests/support/signing-request.ts'
import { systemRandom } from '../random.ts'
import { issueAuthority, issueCertificate } from './issue.ts'
import { pemText } from './pem.ts'
import { readSigningRequest } from './signing-request.ts'
import { certifiedSubject, commonNameIn, organizationsIn } from './subject.ts'

const validity = { notBeforeMs: Date.UTC(2026, 0, 1), notAfterMs: Date.UTC(2027, 0, 1) }
const read = (options: RequestOptions) => readSigningRequest(makeRequest(options).request)

it.each([
  ['P-256', undefined],
  ['P-384', ['ec', '-pkeyopt', 'ec_paramgen_curve:secp384r1']],
  ['Ed25519', ['ed25519']],
  ['RSA', ['rsa:2048']],
])('a request for a key of type %s is read, and certified', async (_, key) => {
  const subject = '/O=dev/O=ops/CN=carol'
  const request = await read({ subject, names: 'DNS:a.example,IP:10.0.0.1,IP:fd00::1', ...(key && { key }) })
  expect(commonNameIn(request.subject)).toBe('carol')
  expect(organizationsIn(request.subject)).toEqual(['dev', 'ops'])
  expect(request.names).toEqual({ dns: ['a.example'], emails: [], addresses: ['10.0.0.1', 'fd00::1'], uris: [] })
  const authority = await issueAuthority('test', validity, systemRandom)
  const signer = { name: 'test', key: createPrivateKey(authority.key) }
  const uses = ['digital signature', 'key encipherment', 'client auth'] as const
  const pem = issueCertificate({ ...request, uses }, signer, validity, systemRandom)
  const certificate = new X509Certificate(pem)
  expect(certificate.subject).toBe('O=dev\nO=ops\nCN=carol')
  expect(certificate.checkIssued(new X509Certificate(authority.cert))).toBe(true)
  expect(certificate.verify(new X509Certificate(authority.cert).publicKey)).toBe(true)
  expect(certificate.publicKey.equals(request.publicKey)).toBe(true)
  expect(certificate.ca).toBe(false)
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
  expect(certificate.subjectAltName).toBe('DNS:a.example, IP Address:10.0.0.1, IP Address:FD00:0:0:0:0:0:0:1')
})

it.each([
  ['a short RSA key', ['rsa:1024'], /the RSA key has 1024 bits: use 2048 to 8192/],
  ['a curve that is not supported', ['ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1'], /not supported/],
])('%s is refused', async (_, key, message) => {
  await expect(read({ subject: '/CN=x', key })).rejects.toThrow(message)
})

it.each([
  ['8', 'DER:300A870801020304FFFFFF00'],
  ['3', 'DER:30058703010203'],
])('an IP address of %s bytes is refused', async (_, names) => {
  await expect(read({ subject: '/CN=x', names })).rejects.toThrow(/neither 4 nor 16 bytes/)
})

it('a weak digest is refused', async () => {
  await expect(read({ subject: '/CN=x', more: ['-sha1'] })).rejects.toThrow(/use SHA-256 or stronger/)
})

it('a request that was changed after it was signed is refused', async () => {
  const { request } = makeRequest({ subject: '/O=dev/CN=carol' })
  const bytes = Buffer.from(request.replace(/-----[^-]*-----|\s/g, ''), 'base64')
  const at = bytes.indexOf('carol')
  bytes.write('admin', at)
  await expect(readSigningRequest(pemText('CERTIFICATE REQUEST', bytes))).rejects.toThrow(/signature/)
})

it.each([
  ['nothing', ''],
  ['another block', pemText('CERTIFICATE', Buffer.from('x'))],
])('%s is not a request', async (_, text) => {
  await expect(readSigningRequest(text)).rejects.toThrow('PEM block type must be CERTIFICATE REQUEST')
})

it.each([
  ['junk', Buffer.from('junk')],
  ['lengths that lie', Buffer.from('3084ffffffff', 'hex')],
  ['sequences in sequences', nested(8_000)],
  ['sequences without an end', Buffer.from('3080'.repeat(12_000), 'hex')],
])('%s is refused', async (_, bytes) => {
  await expect(readSigningRequest(pemText('CERTIFICATE REQUEST', bytes))).rejects.toThrow(/cannot be read/)
})

it('of several common names the last one is certified, and unknown attributes are dropped', () => {
  const subject = [
    { type: '2.5.4.3', value: 'first' },
    { type: '1.2.3.4', value: 'unknown' },
    { type: '2.5.4.3', value: 'last' },
    { type: '2.5.4.10', value: 'dev' },
  ]
  expect(commonNameIn(subject)).toBe('last')
  expect(certifiedSubject(subject)).toEqual([
    { type: '2.5.4.10', value: 'dev' },
    { type: '2.5.4.3', value: 'last' },
  ])
})

/** Nested elements with correct lengths. */
function nested(depth: number): Buffer {
  const heads: Buffer[] = []
  for (let length = 0; heads.length < depth; length += heads[0]?.length ?? 0) {
    const bytes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
    heads.unshift(Buffer.from([0x30, ...bytes]))
  }
  return Buffer.concat(heads)
}
