import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ClusterAccess } from './contract.ts'
import { inClusterAccess } from './in-cluster.ts'
import { loadClusterAccess } from './load.ts'
import { parseKubeconfig } from './parse.ts'
import { resolveContext } from './resolve.ts'

const pem = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n'
const inBase64 = Buffer.from(pem).toString('base64')
const clock = { now: () => 0 }

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenant-kubeconfig-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

function config(cluster: object, user: object = {}, context: object = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: 'https://c.example', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', ...context } }],
    'current-context': 'x',
  })
}

function resolved(text: string, file = '/home/kubeconfig', context?: string): Promise<ClusterAccess> {
  return Promise.resolve().then(() => resolveContext(parseKubeconfig(text, file), { clock, env: {}, context }))
}

describe('a cluster', () => {
  it.each([
    [{}, { trust: { mode: 'system' } }],
    [{ server: 'http://localhost:8001' }, { url: new URL('http://localhost:8001') }],
    [{ server: 'https://c.example/k8s/one' }, { url: new URL('https://c.example/k8s/one') }],
    [{ server: 'c.example:6443' }, { url: new URL('https://c.example:6443') }],
    [{ 'certificate-authority-data': inBase64 }, { trust: { mode: 'authority', authority: pem } }],
    [{ 'insecure-skip-tls-verify': true }, { trust: { mode: 'unverified' } }],
    [{ 'insecure-skip-tls-verify': false }, { trust: { mode: 'system' } }],
    [{ 'tls-server-name': 'other.example' }, { serverName: 'other.example' }],
    [{ 'proxy-url': 'http://p.example:3128' }, { proxy: new URL('http://p.example:3128') }],
  ])('%j', async (cluster, access) => {
    expect(await resolved(config(cluster))).toMatchObject(access)
  })

  it.each([
    ['https://c.example', { HTTPS_PROXY: 'http://p.example:3128' }, 'p.example:3128'],
    ['https://c.example', { HTTPS_PROXY: 'http://p.example:3128', NO_PROXY: '.example' }, undefined],
    ['https://127.0.0.1:6443', { HTTPS_PROXY: 'http://p.example:3128' }, undefined],
  ])('%s is reached as the environment %j says', async (server, env, host) => {
    const { proxy } = await resolveContext(parseKubeconfig(config({ server }), '/c'), { clock, env })
    expect(proxy?.host).toBe(host)
  })

  it('is found by files relative to the kubeconfig', async () => {
    const folder = folderWith({ 'ca.crt': pem })
    const access = await resolved(config({ 'certificate-authority': 'ca.crt' }), join(folder, 'config'))
    expect(access.trust).toEqual({ mode: 'authority', authority: pem })
  })
})

describe('a user', () => {
  it.each([
    [{}, {}],
    [{ token: 'secret' }, { authorization: 'Bearer secret' }],
    [{ username: 'a', password: 'b' }, { authorization: 'Basic YTpi' }],
    [
      { token: 't', as: 'jane', 'as-groups': ['g', 'h'], 'as-user-extra': { 'a/b': ['1'] } },
      {
        authorization: 'Bearer t',
        'impersonate-user': 'jane',
        'impersonate-group': ['g', 'h'],
        'impersonate-extra-a%2Fb': ['1'],
      },
    ],
  ])('%j sends', async (user, headers) => {
    const { credentials } = await resolved(config({}, user))
    expect(await credentials.headers()).toEqual(headers)
    expect(await credentials.clientCertificate()).toBeUndefined()
  })

  it('uses an inline certificate, or files that are read for every connection', async () => {
    const folder = folderWith({ crt: pem, key: pem })
    const files = { 'client-certificate': 'crt', 'client-key': 'key' }
    const inline = { 'client-certificate-data': inBase64, 'client-key-data': inBase64 }
    const [byFile, written] = [await resolved(config({}, files), join(folder, 'c')), await resolved(config({}, inline))]
    expect(await written.credentials.clientCertificate()).toEqual({ certificate: pem, key: pem })
    writeFileSync(join(folder, 'crt'), 'renewed')
    expect(await byFile.credentials.clientCertificate()).toEqual({ certificate: 'renewed', key: pem })
  })

  it('sends a token from a file, read again in time and after a refusal', async () => {
    const folder = folderWith({ token: 'one\n' })
    let nowMs = 0
    const text = config({}, { tokenFile: 'token' })
    const moving = { clock: { now: () => nowMs }, env: {} }
    const { credentials } = await resolveContext(parseKubeconfig(text, join(folder, 'c')), moving)
    writeFileSync(join(folder, 'token'), 'two')
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer one' })
    nowMs = 60_000
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer two' })
    writeFileSync(join(folder, 'token'), 'three')
    expect(credentials.refused('Bearer two')).toBe(true)
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer three' })
  })
})

it('describes the cluster to a plugin that asks for it', async () => {
  const folder = folderWith({ 'ca.crt': pem })
  const credential = '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t"}}'
  const script = `echo "$KUBERNETES_EXEC_INFO" > ${join(folder, 'told')}; echo '${credential}'`
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'sh',
    args: ['-c', script],
    provideClusterInfo: true,
  }
  const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } }]
  const cluster = { 'certificate-authority': 'ca.crt', extensions }
  const kubeconfig = parseKubeconfig(config(cluster, { exec }), join(folder, 'config'))
  const { credentials } = await resolveContext(kubeconfig, { clock, env: { PATH: process.env.PATH } })
  expect(await credentials.headers()).toEqual({ authorization: 'Bearer t' })
  expect(JSON.parse(readFileSync(join(folder, 'told'), 'utf8')).spec).toEqual({
    interactive: false,
    cluster: { server: 'https://c.example', 'certificate-authority-data': inBase64, config: { audience: 'x' } },
  })
})

describe('a mistake names the file and the field, and shows no secret', () => {
  it.each([
    ['a: [', /kubeconfig: it cannot be read: yaml: line/],
    ['- a', 'it does not hold an object'],
    ['kind: Pod', 'it is no kubeconfig'],
    ['clusters: 1', 'clusters is not a list'],
    ['users: [1]', 'users[0] is not an object'],
    ['users: [{user: {}}]', 'users[0].name is missing'],
    ['{}', 'current-context is not set; contexts: none'],
    ['current-context: gone', 'there is no context "gone"'],
    [config({ server: '' }), 'clusters["c"].cluster.server is missing'],
    [config({ server: 'ftp://x' }), 'clusters["c"].cluster.server is not an http'],
    [config({ server: 'https://a:secret@x' }), 'clusters["c"].cluster.server must not hold credentials'],
    [config({ server: 7 }), 'clusters["c"].cluster.server is not a text'],
    [config({ 'certificate-authority-data': 'secret' }), 'certificate-authority-data is not PEM in base64'],
    [
      config({ 'certificate-authority': '/none' }),
      'certificate-authority points to /none, which cannot be read (ENOENT)',
    ],
    [config({ 'insecure-skip-tls-verify': 'yes' }), 'insecure-skip-tls-verify is neither true nor false'],
    [config({ 'insecure-skip-tls-verify': true, 'certificate-authority-data': inBase64 }), 'remove one'],
    [config({ 'proxy-url': 'socks5://x' }), 'proxy-url is not an http address'],
    [config({}, {}, { cluster: 'd' }), 'contexts["x"].context.cluster names "d", which does not exist'],
    [config({}, {}, { user: 'v' }), 'contexts["x"].context.user names "v", which does not exist'],
    [config({}, { token: { secret: 1 } }), 'users["u"].user.token is not a text'],
    [config({}, { 'client-key-data': inBase64 }), 'client-certificate is missing'],
    [config({}, { 'client-certificate-data': inBase64 }), 'client-key is missing'],
    [config({}, { 'auth-provider': { name: 'gcp' } }), 'users["u"].user.auth-provider is no longer supported'],
    [config({}, { 'as-groups': ['g'] }), 'users["u"].user.as is missing'],
    [config({}, { exec: { command: 'x' } }), 'users["u"].user.exec.apiVersion is missing'],
    [
      config({}, { exec: { apiVersion: 'client.authentication.k8s.io/v1' } }),
      'users["u"].user.exec.command is missing',
    ],
    [config({}, { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'x', env: [1] } }), 'exec.env[0]'],
  ])('%s', async (text, message) => {
    const failure: Error = await resolved(text).then(
      () => new Error('accepted'),
      (error) => error,
    )
    if (typeof message === 'string') expect(failure.message).toContain(message)
    else expect(failure.message).toMatch(message)
    expect(failure.message).toContain('/home/kubeconfig')
    expect(failure.message).not.toContain('secret')
  })
})

describe('several files', () => {
  const one = config({}, { token: 'one' })
  const two = JSON.stringify({
    users: [
      { name: 'u', user: { token: 'two' } },
      { name: 'v', user: { token: 'v' } },
    ],
    contexts: [{ name: 'y', context: { cluster: 'c', user: 'v', namespace: 'n' } }],
    'current-context': 'y',
  })

  it('are merged; the first entry wins', async () => {
    const folder = folderWith({ one, two })
    const env = { KUBECONFIG: `${join(folder, 'one')}:${join(folder, 'missing')}:${join(folder, 'two')}` }
    const first = await loadClusterAccess({ env, clock })
    expect(await first.credentials.headers()).toEqual({ authorization: 'Bearer one' })
    expect(first.namespace).toBe('default')
    const second = await loadClusterAccess({ env, clock, context: 'y' })
    expect(await second.credentials.headers()).toEqual({ authorization: 'Bearer v' })
    expect(second.namespace).toBe('n')
  })

  it('that are all missing are named', async () => {
    const env = { KUBECONFIG: '/none/a:/none/b', KUBERNETES_SERVICE_HOST: '10.0.0.1' }
    await expect(loadClusterAccess({ env, clock })).rejects.toThrow('there is no kubeconfig at /none/a, /none/b')
    await expect(loadClusterAccess({ env, clock, file: '/none/c' })).rejects.toThrow('/none/c')
  })
})

describe('inside a cluster', () => {
  it('the service account of the Pod is used, with a token that is read again', async () => {
    const directory = folderWith({ token: 'one', 'ca.crt': pem, namespace: 'team\n' })
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' }
    const access = await inClusterAccess({ env, clock, directory })
    expect(access).toMatchObject({ namespace: 'team', trust: { mode: 'authority', authority: pem } })
    expect(access.url.href).toBe('https://[fd00::1]:6443/')
    writeFileSync(join(directory, 'token'), 'two')
    expect(access.credentials.refused('Bearer one')).toBe(true)
    expect(await access.credentials.headers()).toEqual({ authorization: 'Bearer two' })
  })

  it('a missing setting is named', async () => {
    await expect(inClusterAccess({ env: {}, clock })).rejects.toThrow('KUBERNETES_SERVICE_HOST is not set')
    const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1' }
    await expect(inClusterAccess({ env, clock, directory: '/none' })).rejects.toThrow('/none/token is missing')
  })
})
