import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { on } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { commonNameOf, newAuthority } from '../../src/base/certificates/authority-bundle.ts'
import { type CertifiedUse, issueCertificate, type KeyAndCertificate } from '../../src/base/certificates/issue.ts'
import { commonNameType, organizationType } from '../../src/base/certificates/subject.ts'
import { systemClock } from '../../src/base/clock.ts'
import { systemRandom } from '../../src/base/random.ts'
import type { RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { startTestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'

const day = 86_400_000
let server: RunningApiServer
let authority: KeyAndCertificate
let stranger: KeyAndCertificate

beforeAll(async () => {
  server = await startApiServer({ users: [{ token: 'alice-token', user: 'alice' }], controllers: 'none' })
  const file = (name: string) => readFileSync(join(server.dataDir, 'pki/apiserver', name), 'utf8')
  authority = { cert: file('client-ca.crt'), key: file('client-ca.key') }
  stranger = await newAuthority(systemClock, systemRandom)
})
afterAll(() => server.stop())

interface Wanted {
  readonly names?: readonly string[]
  readonly organizations?: readonly string[]
  readonly uses?: readonly CertifiedUse[]
  readonly by?: KeyAndCertificate
  readonly notBeforeMs?: number
  readonly notAfterMs?: number
}

interface Identity {
  readonly cert: string
  readonly key: string
}

function identityOf(wanted: Wanted = {}): Identity {
  const { names = ['carol'], organizations = ['dev'], uses = ['client auth'], by = authority } = wanted
  const { notBeforeMs = Date.now() - day, notAfterMs = Date.now() + day } = wanted
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = [
    ...organizations.map((value) => ({ type: organizationType, value })),
    ...names.map((value) => ({ type: commonNameType, value })),
  ]
  const alternatives = { dns: [], emails: [], addresses: [], uris: [] }
  const signer = { name: commonNameOf(new X509Certificate(by.cert)), key: createPrivateKey(by.key) }
  const certified = { subject, names: alternatives, publicKey, uses }
  const cert = issueCertificate(certified, signer, { notBeforeMs, notAfterMs }, systemRandom)
  return { cert, key: privatePem(privateKey) }
}

function privatePem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** The authenticated user of a request, or the code of its refusal. */
async function whoAmI(
  identity: Identity | undefined,
  headers: Record<string, string> = {},
  { url, authority: ca } = { url: server.url, authority: server.certificateAuthority },
): Promise<string> {
  const options = { ...identity, headers, ca, agent: false } as const
  return new Promise((resolve, reject) => {
    request(`${url}/api/v1/nodes`, options, async (response) => resolve(userIn(await text(response))))
      .on('error', reject)
      .end()
  })
}

function userIn(body: string): string {
  return /User \\"([^"\\]*)/.exec(body)?.[1] ?? /"code":(\d+)/.exec(body)?.[1] ?? body
}

it('a certificate of the authority identifies the client, over HTTP/2 too', async () => {
  const identity = identityOf()
  expect(await whoAmI(identity)).toBe('carol')
  const session = connectHttp2(server.url, { ...identity, ca: server.certificateAuthority })
  expect(userIn(await text(session.request({ ':path': '/api/v1/nodes' })))).toBe('carol')
  session.close()
})

it('its groups and the certificate itself are available', async () => {
  const identity = identityOf({ organizations: ['dev', 'ops'] })
  const review = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' }
  const answer = await new Promise<string>((resolve, reject) => {
    const options = { ...identity, ca: server.certificateAuthority, agent: false, method: 'POST' }
    request(`${server.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, options, (it) => resolve(text(it)))
      .on('error', reject)
      .end(JSON.stringify(review))
  })
  const fingerprint = new X509Certificate(identity.cert).fingerprint256.replaceAll(':', '').toLowerCase()
  expect(JSON.parse(answer).status.userInfo).toEqual({
    username: 'carol',
    groups: ['dev', 'ops', 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
  })
})

it('a client without a certificate, or with one without a user, is a stranger', async () => {
  expect(await whoAmI(undefined)).toBe('system:anonymous')
  expect(await whoAmI(identityOf({ names: [] }))).toBe('system:anonymous')
})

it.each([
  ['of another authority', () => identityOf({ by: stranger })],
  ['of another authority with the same name', () => identityOf({ by: { cert: authority.cert, key: stranger.key } })],
  ['that has ended', () => identityOf({ notAfterMs: Date.now() - 60_000 })],
  ['that has not begun', () => identityOf({ notBeforeMs: Date.now() + day })],
  ['for servers only', () => identityOf({ uses: ['server auth'] })],
  ['that it has signed itself, as an authority', () => ({ cert: stranger.cert, key: stranger.key })],
])('a certificate %s is refused, and its client is not treated as a stranger', async (_, identity) => {
  expect(await whoAmI(identity())).toBe('401')
  expect(await whoAmI(identity(), { authorization: 'Bearer alice-token' })).toBe('alice')
})

it('the certificate of the server itself identifies no user', async () => {
  const file = (name: string) => readFileSync(join(server.dataDir, 'pki', name), 'utf8')
  expect(await whoAmI({ cert: file('apiserver.crt'), key: file('apiserver.key') })).toBe('401')
})

it('nor does one of the server authority', async () => {
  const file = (name: string) => readFileSync(join(server.dataDir, 'pki', name), 'utf8')
  expect(await whoAmI(identityOf({ by: { cert: file('ca.crt'), key: file('ca.key') } }))).toBe('401')
})

it('a server without a client authority, such as the platform, requests no certificate', async () => {
  const platform = await startTestServer()
  try {
    expect(await whoAmI(identityOf({ organizations: ['system:masters'] }), {}, platform)).toBe('system:anonymous')
  } finally {
    await platform.stop()
  }
})

it('a certificate takes precedence over a token, as in kube-apiserver', async () => {
  expect(await whoAmI(identityOf(), { authorization: 'Bearer alice-token' })).toBe('carol')
  expect(await whoAmI(identityOf({ names: [] }), { authorization: 'Bearer alice-token' })).toBe('alice')
})

it('of several common names the last is used', async () => {
  expect(await whoAmI(identityOf({ names: ['admin', 'carol'] }))).toBe('carol')
})

/** A connection with the data for resuming its session. */
async function open(identity: Identity | undefined, session?: Buffer, version?: 'TLSv1.2') {
  const url = new URL(server.url)
  const options = {
    host: url.hostname,
    port: Number(url.port),
    ca: server.certificateAuthority,
    ALPNProtocols: ['http/1.1'],
  }
  const limits = version === undefined ? {} : { maxVersion: version }
  const socket = connect({ ...options, ...identity, ...limits, ...(session && { session }) })
  let last: Buffer | undefined
  socket.on('session', (given) => {
    last = given
  })
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
  return { socket, session: () => last }
}

async function ask(socket: TLSSocket): Promise<string> {
  socket.write('GET /api/v1/nodes HTTP/1.1\r\nhost: x\r\n\r\n')
  let answer = ''
  for await (const [chunk] of on(socket, 'data', { close: ['close'] })) {
    answer += chunk
    if (answer.includes('"code":')) return userIn(answer)
  }
  throw new Error(`the connection was closed after ${answer}`)
}

it.each(['TLSv1.2', undefined] as const)('a resumed session keeps its own user (%s)', async (version) => {
  const first = await open(identityOf(), undefined, version)
  expect(await ask(first.socket)).toBe('carol')
  await eventually(() => expect(first.session()).toBeDefined())
  const other = await open(undefined, undefined, version)
  expect(await ask(other.socket)).toBe('system:anonymous')
  await eventually(() => expect(other.session()).toBeDefined())
  const resumed = await open(undefined, first.session(), version)
  expect(resumed.socket.isSessionReused()).toBe(true)
  expect(await ask(resumed.socket)).toBe('carol')
  const still = await open(identityOf({ names: ['dave'] }), other.session(), version)
  expect(still.socket.isSessionReused()).toBe(true)
  expect(await ask(still.socket)).toBe('system:anonymous')
  for (const { socket } of [first, other, resumed, still]) socket.destroy()
})

it('a certificate that expires on an open connection is refused, also when its session is resumed', async () => {
  const notAfterMs = Math.ceil(Date.now() / 1000) * 1000 + 6_000
  const identity = identityOf({ notAfterMs })
  const connection = await open(identity)
  expect(await ask(connection.socket)).toBe('carol')
  await eventually(() => expect(connection.session()).toBeDefined())
  await eventually(async () => expect(await ask(connection.socket)).toBe('401'))
  const resumed = await open(identity, connection.session())
  expect(await ask(resumed.socket)).toBe('401')
  for (const { socket } of [connection, resumed]) socket.destroy()
})

it('other servers read the client authority from the cluster', async () => {
  const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication'
  const answer = await new Promise<string>((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.token}` }
    request(`${server.url}${path}`, { headers, ca: server.certificateAuthority }, (it) => resolve(text(it)))
      .on('error', reject)
      .end()
  })
  expect(JSON.parse(answer).data['client-ca-file']).toBe(authority.cert)
  expect(createPublicKey(authority.key).equals(new X509Certificate(authority.cert).publicKey)).toBe(true)
})

it('other servers read a replaced authority while the server runs', async () => {
  const other = await startTestServer()
  try {
    const file = (name: string) => readFileSync(join(other.directory, 'pki', name), 'utf8')
    const tls = { key: file('server.key'), cert: file('server.crt') }
    const told = () => {
      const name = { namespace: 'kube-system', name: 'extension-apiserver-authentication' }
      return other.engine.registry.engine.find('', 'ConfigMap')?.cache.get(name)?.object.data
    }
    for (const { cert: clientCa } of [authority, stranger]) {
      await other.engine.useCertificate({ ...tls, clientCa }, other.authority)
      expect(told()).toMatchObject({ 'client-ca-file': clientCa })
    }
  } finally {
    await other.stop()
  }
})

it('a client that sends an endless invalid chain is not asked for a certificate again', async () => {
  const asking = await startApiServer({ controllers: 'none' })
  try {
    const file = (name: string) => readFileSync(join(asking.dataDir, 'pki/apiserver', name), 'utf8')
    const place = { url: asking.url, authority: asking.certificateAuthority }
    const known = identityOf({ by: { cert: file('client-ca.crt'), key: file('client-ca.key') } })
    expect(await whoAmI(known, {}, place)).toBe('carol')
    const short = identityOf({ by: stranger })
    expect(await whoAmI(short, {}, place)).toBe('401')
    expect(await whoAmI(known, {}, place)).toBe('carol')
    expect(await whoAmI({ key: short.key, cert: short.cert.repeat(50) }, {}, place)).toBe('401')
    expect(await whoAmI(known, {}, place)).toBe('system:anonymous')
  } finally {
    await asking.stop()
  }
})
