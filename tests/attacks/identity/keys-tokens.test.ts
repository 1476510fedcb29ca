import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { printKubeconfig } from '../../../src/cluster/kubeconfig.ts'
import { embedded, inside, link, startLinkPlatform, type TestLink, tenantKey } from '../../link/support.ts'
import { group, keysPath, management, type TestPlatform } from '../../platform/platform.ts'
import { type EchoApi, echoToken, startEchoApi } from '../../proxy/echo-api.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'
import { protocols, type RawAsked, rawAsk } from '../support/raw-ask.ts'

const space = '/kubernetes/project/default/space/web'
const cluster = '/kubernetes/cluster/host'
const echoed = '/kubernetes/cluster/echo'
const tenYears = {
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  spec: { expirationSeconds: 315_360_000 },
}
const tokenPath = '/api/v1/namespaces/team-web/serviceaccounts/default/token'
const secretsPath = '/api/v1/namespaces/team-web/secrets'
const account = 'kubernetes.io/service-account.name'
const type = 'kubernetes.io/service-account-token'
const tokenSecret = {
  apiVersion: 'v1',
  kind: 'Secret',
  type,
  metadata: { name: 'forever', annotations: { [account]: 'default' } },
}

describe('a key cannot leave a credential in a cluster', () => {
  let platform: TestPlatform
  let host: TestServer
  let echo: EchoApi
  let linked: TestLink
  const keys: Record<string, string> = {}

  beforeAll(async () => {
    ;[platform, host, echo] = await Promise.all([startLinkPlatform(), startTestServer(), startEchoApi()])
    await registerCluster(platform, 'host', host.kubeconfig('admin'))
    const { url: server, authority: certificateAuthority } = echo
    await registerCluster(
      platform,
      'echo',
      printKubeconfig([{ name: 'echo', server, certificateAuthority, token: echoToken }]),
    )
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-web' } }
    await platform.must('POST', `${cluster}/api/v1/namespaces`, namespace)
    await platform.must('POST', `${management}/namespaces/p-default/spaceinstances`, {
      apiVersion: `${group}/v1`,
      kind: 'SpaceInstance',
      metadata: { name: 'web' },
      spec: { clusterRef: { cluster: 'host', namespace: 'team-web' } },
    })
    const specs = {
      'for one space': { scope: { spaces: [{ project: 'default', space: 'web' }] } },
      'for one cluster': { scope: { clusters: [{ cluster: '*' }] } },
      'for a project': { scope: { projects: [{ project: 'default' }] } },
      'with rules': { scope: { rules: [{ verbs: ['*'] }] } },
      'that ends': { ttl: 3600 },
      'that ends when it is not used': { ttl: 3600, ttlAfterLastActivity: true },
      'without limits': {},
    }
    for (const [index, [what, spec]] of Object.entries(specs).entries()) {
      const body = { metadata: { name: `key-${index}` }, spec: { user: 'admin', ...spec } }
      keys[what] = (await platform.must('POST', keysPath, body)).spec.key
    }
    const { url, authority } = platform.server
    linked = link({ accessKey: await tenantKey(platform, 'tenants'), url, authority, virtualApi: embedded(host) })
    await linked.linked()
    // A controller creates it.
    await eventually(async () => {
      expect((await platform.ask('GET', cluster + tokenPath.replace('/token', ''))).status).toBe(200)
    })
  })

  afterAll(async () => {
    await linked.stop()
    await Promise.all([platform.stop(), host.stop(), echo.stop()])
  })

  const limited = [
    ['for one space', space],
    ['for one cluster', cluster],
    ['for a project', space],
    ['with rules', cluster],
    ['with rules', space],
    ['that ends', space],
    ['that ends', cluster],
    ['that ends when it is not used', cluster],
  ] as const

  describe.each(protocols)('over %s', (protocol) => {
    const ask = (what: string, asked: Omit<RawAsked, 'body'> & { readonly body?: unknown }) => {
      const { body, headers = [['Content-Type', 'application/json']] } = asked
      const text = typeof body === 'string' ? body : Buffer.from(JSON.stringify(body ?? {})).toString('latin1')
      return rawAsk(protocol, platform.server.port, { token: keys[what] ?? '', ...asked, headers, body: text })
    }
    /** How often the upstream API received the request. */
    const arrived = async (asked: Parameters<typeof ask>[1], what = 'without limits') => {
      const before = echo.received.length
      const answer = await ask(what, { ...asked, url: echoed + asked.url })
      const requests = echo.received.slice(before).filter(({ url }) => !url.includes('clusterrolebindings'))
      return { status: answer.status, text: answer.text, requests: requests.length }
    }

    test.each(limited)('a key %s cannot create a token of a service account through %s', async (what, place) => {
      const answer = await ask(what, { method: 'POST', url: place + tokenPath, body: tenYears })
      expect(answer).toMatchObject({ status: 403, text: expect.not.stringContaining('expirationTimestamp') })
    })

    test.each([
      ['a trailing slash', `${tokenPath}/`],
      ['escaped letters', tokenPath.replace('token', '%74oken')],
      ['doubled slashes', tokenPath.replace('/serviceaccounts', '//serviceaccounts')],
    ])('a key with an expiry cannot either, with %s', async (_, url) => {
      expect(await arrived({ method: 'POST', url, body: tenYears }, 'that ends')).toMatchObject({
        status: 403,
        requests: 0,
      })
    })

    test('a key without limits gets one for an hour, whatever lifetime it requests', async () => {
      for (const place of [cluster, space]) {
        const { status, text } = await ask('without limits', { method: 'POST', url: place + tokenPath, body: tenYears })
        expect(status).toBe(201)
        const { spec } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
        expect(spec.expirationSeconds).toBe(3600)
      }
    })

    test.each<readonly [string, unknown]>([
      ['as JSON', tokenSecret],
      ['with the type twice, the second one counting', JSON.stringify(tokenSecret).replace('{', '{"type":"Opaque",')],
      ['with escaped letters', JSON.stringify(tokenSecret).replaceAll('kubernetes', '\\u006bubernetes')],
      ['by its type alone', { ...tokenSecret, metadata: { name: 'forever' } }],
      ['for nodes that join', { ...tokenSecret, type: 'bootstrap.kubernetes.io/token' }],
    ])('no key can create a Secret that gets a token: %s', async (_, body) => {
      for (const what of ['without limits', 'that ends', 'for one cluster']) {
        const asked = { method: 'POST', url: secretsPath, body }
        expect(await arrived(asked, what)).toMatchObject({ status: 403, requests: 0 })
      }
    })

    test.each<readonly [string, string, string, string]>([
      ['YAML', 'POST', 'application/yaml', `apiVersion: v1\nkind: Secret\ntype: ${type}\nmetadata: {name: a}\n`],
      [
        'YAML with an anchor',
        'POST',
        'application/yaml',
        `kind: Secret\nx: &t ${type}\ntype: *t\nmetadata: {name: a}\n`,
      ],
      ['protobuf', 'POST', 'application/vnd.kubernetes.protobuf', protobufSecret()],
      ['an apply', 'PATCH', 'application/apply-patch+yaml', `{apiVersion: v1, kind: Secret, type: "${type}"}`],
      ['a replacement', 'PUT', 'application/json', JSON.stringify(tokenSecret)],
      ['a merge patch', 'PATCH', 'application/merge-patch+json', `{"metadata":{"annotations":{"${account}":"admin"}}}`],
      [
        'a strategic patch',
        'PATCH',
        'application/strategic-merge-patch+json',
        `{"metadata":{"annotations":{"${account}":"admin"}}}`,
      ],
      [
        'a JSON Patch',
        'PATCH',
        'application/json-patch+json',
        '[{"op":"add","path":"/metadata/annotations/kubernetes.io~1service-account.name","value":"admin"}]',
      ],
    ])('nor with %s', async (_, method, contentType, body) => {
      const url = method === 'POST' ? secretsPath : `${secretsPath}/a?fieldManager=x`
      const headers = [['Content-Type', contentType]] as const
      expect(await arrived({ method, url, headers, body })).toMatchObject({ status: 403, requests: 0 })
    })

    test.each([
      ['a form that the platform does not read', 'POST', 'application/cbor', '\u00d9\u00d9\u00f7', 415],
      ['a patch in such a form', 'PATCH', 'application/apply-patch+cbor', '\u00d9\u00d9\u00f7', 415],
      ['no form at all', 'POST', 'text/plain', JSON.stringify(tokenSecret), 415],
    ])('nor in %s', async (_, method, contentType, body, status) => {
      const url = method === 'POST' ? secretsPath : `${secretsPath}/a`
      expect(await arrived({ method, url, headers: [['Content-Type', contentType]], body })).toMatchObject({
        status,
        requests: 0,
      })
    })

    test('nor compressed', async () => {
      const body = gzipSync(JSON.stringify(tokenSecret)).toString('latin1')
      const headers = [
        ['Content-Type', 'application/json'],
        ['Content-Encoding', 'gzip'],
      ] as const
      expect(await arrived({ method: 'POST', url: secretsPath, headers, body })).toMatchObject({
        status: 400,
        requests: 0,
      })
    })

    test('of two content types the checked one is forwarded', async () => {
      const name = `two-types-${protocol === 'HTTP/2' ? 2 : 1}`
      const body = `{"apiVersion":"v1","kind":"Secret","type":"${type}","metadata":{"name":"${name}"},"type":"Opaque"}`
      expect((await ask('without limits', { method: 'POST', url: space + secretsPath, body })).status).toBe(201)
      const stored = await platform.must('GET', `${cluster}${secretsPath}/${name}`)
      expect(stored.type).toBe('Opaque')
    })

    test('ordinary Secrets are created, updated and applied with any key', async () => {
      const name = `ordinary-${protocol === 'HTTP/2' ? 2 : 1}`
      const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { a: type } }
      const url = space + secretsPath
      expect((await ask('for one space', { method: 'POST', url, body })).status).toBe(201)
      const merge = [['Content-Type', 'application/merge-patch+json']] as const
      const changed = { method: 'PATCH', url: `${url}/${name}`, headers: merge, body: { stringData: { b: 'ü' } } }
      expect((await ask('for one space', changed)).status).toBe(200)
      const { data } = await platform.must('GET', `${cluster}${secretsPath}/${name}`)
      expect(Buffer.from(data.b, 'base64').toString()).toBe('ü')
    })

    test('no key can request a certificate for the API, and a limited key can approve none', async () => {
      const url = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
      const request = (signerName: string) => ({
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name: 'a' },
        spec: { signerName, request: '', usages: ['client auth'], expirationSeconds: 315_360_000 },
      })
      const client = request('kubernetes.io/kube-apiserver-client')
      for (const what of ['without limits', 'that ends', 'for one cluster']) {
        expect(await arrived({ method: 'POST', url, body: client }, what)).toMatchObject({ status: 403, requests: 0 })
      }
      const apply = [['Content-Type', 'application/apply-patch+yaml']] as const
      const applied = { method: 'PATCH', url: `${url}/a?fieldManager=x`, headers: apply, body: client }
      expect(await arrived(applied)).toMatchObject({ status: 403, requests: 0 })
      const approval = { method: 'PUT', url: `${url}/a/approval`, body: client }
      expect(await arrived(approval, 'for one cluster')).toMatchObject({ status: 403, requests: 0 })
      expect(await arrived({ method: 'POST', url, body: request('example.com/own') })).toMatchObject({ requests: 1 })
    })
  })

  test('a review of the rights of a key predicts it', async () => {
    const spec = {
      resourceAttributes: { verb: 'create', resource: 'serviceaccounts', subresource: 'token', namespace: 'team-web' },
    }
    const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec }
    const path = `${space}/apis/authorization.k8s.io/v1/selfsubjectaccessreviews`
    const review = await platform.ask('POST', path, { token: keys['for one space'] ?? '', body })
    expect(review.body.status).toMatchObject({ allowed: false, denied: true })
  })

  test('the administrator, who uses no access key, gets the requested lifetime', async () => {
    const { spec } = await platform.must('POST', cluster + tokenPath, tenYears)
    expect(spec.expirationSeconds).toBe(315_360_000)
  })

  test('inside a virtual cluster, tokens are decided there', async () => {
    const scope = { virtualClusters: [{ project: 'default', virtualCluster: 'dev' }] }
    const made = await platform.must('POST', keysPath, {
      metadata: { name: 'virtual' },
      spec: { user: 'admin', scope },
    })
    const asked = { token: made.spec.key, body: tenYears }
    expect((await platform.ask('POST', inside('dev') + tokenPath, asked)).status).toBe(201)
  })
})

async function registerCluster(platform: TestPlatform, name: string, kubeconfig: string): Promise<void> {
  await platform.must('POST', '/api/v1/namespaces/default/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    data: { config: Buffer.from(kubeconfig).toString('base64') },
  })
  await platform.must('POST', `${management}/clusters`, {
    apiVersion: `${group}/v1`,
    kind: 'Cluster',
    metadata: { name },
    spec: { config: { secretName: name, secretNamespace: 'default' } },
  })
}

/** A Secret with a name and the type, as a client that speaks protobuf sends it. One character is one byte. */
function protobufSecret(): string {
  const field = (number: number, bytes: Buffer) =>
    Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes])
  const text = (number: number, value: string) => field(number, Buffer.from(value))
  const secret = Buffer.concat([field(1, text(1, 'a')), text(3, type)])
  const typeMeta = Buffer.concat([text(1, 'v1'), text(2, 'Secret')])
  return Buffer.concat([Buffer.from('k8s\0'), field(1, typeMeta), field(2, secret)]).toString('latin1')
}
