import { createPrivateKey, generateKeyPair, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { commonNameOf, readBundle, trustedText, vouchingText } from '../../base/certificates/authority-bundle.ts'
import { ensureAuthority, type MakeAlone } from '../../base/certificates/ensure.ts'
import { issueCertificate, type KeyAndCertificate } from '../../base/certificates/issue.ts'
import { commonNameType } from '../../base/certificates/subject.ts'
import { systemClock } from '../../base/clock.ts'
import { systemRandom } from '../../base/random.ts'
import type { FrontProxy } from '../../registry/aggregation/contract.ts'

/** The name under which a server forwards requests to servers behind APIServices. */
export const frontProxyName = 'front-proxy-client'

export interface ClientAuthorities {
  /**
   * Only for users: the authority of the server's own certificate may be an operator's, or shared with other servers.
   */
  readonly users: KeyAndCertificate
  readonly frontProxy: FrontProxy
}

/** The data directory of a server. */
export interface AuthoritiesPlace {
  readonly directory: string
  /** Distinguishes the servers of one directory. */
  readonly name: string
  /** Absent: no other process uses the directory. */
  readonly makeAlone?: MakeAlone
}

/** Kept in the data directory of the server. */
export async function clientAuthorities(place: AuthoritiesPlace): Promise<ClientAuthorities> {
  const proxies = await ensureAuthority({ ...optionsOf(place), name: 'front-proxy-ca' })
  return { users: await usersAuthority(place), frontProxy: await newFrontProxy(proxies) }
}

/** The text contains all currently trusted authorities, because another replica may have made the next one. */
export async function usersAuthority(place: AuthoritiesPlace): Promise<KeyAndCertificate> {
  const { key, cert } = await ensureAuthority({ ...optionsOf(place), name: 'client-ca' })
  return { key, cert: trustedText(readBundle(cert, systemClock.now())) }
}

function optionsOf({ directory, name, makeAlone }: AuthoritiesPlace) {
  return { directory: join(directory, 'pki', name), clock: systemClock, ...(makeAlone && { makeAlone }) }
}

/** Valid as long as its authority: it never leaves this process, which may run for years. */
async function newFrontProxy(authority: KeyAndCertificate): Promise<FrontProxy> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
  const parsed = new X509Certificate(authority.cert)
  const signer = { name: commonNameOf(parsed), key: createPrivateKey(authority.key) }
  const certified = {
    subject: [{ type: commonNameType, value: frontProxyName }],
    names: { dns: [], emails: [], addresses: [], uris: [] },
    publicKey,
    uses: ['digital signature', 'client auth'],
  } as const
  const validity = { notBeforeMs: Date.parse(parsed.validFrom), notAfterMs: Date.parse(parsed.validTo) }
  const certificate = issueCertificate(certified, signer, validity, systemRandom)
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const bundle = readBundle(authority.cert, systemClock.now())
  return { authority: trustedText(bundle), certificate: { certificate: certificate + vouchingText(bundle), key } }
}
