import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readAdmissionConfig } from '../../src/cluster/api-server/admission-config.ts'
import type { RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { type CertificateFiles, makeCertificates } from '../support/certificates.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/network/call.ts'
import { type HookRequest, startWebhookServer, type WebhookServer } from '../support/network/webhook-server.ts'

const directory = mkdtempSync(join(tmpdir(), 'webhook-credentials-'))
const group = 'apiserver.config.k8s.io/v1'
let files: CertificateFiles
let strangers: CertificateFiles
let hooks: WebhookServer
let server: RunningApiServer
let asked: HookRequest[] = []

beforeAll(async () => {
  files = await makeCertificates(directory, 'engine')
  strangers = await makeCertificates(directory, 'strangers')
  hooks = await startWebhookServer(
    (request) => {
      asked.push(request)
      const { uid } = JSON.parse(request.body).request
      const response = { uid, allowed: true }
      return { body: JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }) }
    },
    ['hooks.default.svc'],
    readFileSync(files.caFile, 'utf8'),
  )
  const kubeconfig = save('mutating.yaml', {
    users: [
      { name: `127.0.0.1:${hooks.port}`, user: certificateOf(files) },
      {
        name: `hooks.default.svc:${hooks.port}`,
        user: { ...certificateOf(files), username: 'engine', password: 'pass' },
      },
      { name: '*', user: certificateOf(strangers) },
    ],
  })
  const others = save('validating.yaml', { users: [{ name: '*', user: { ...inline(files), token: 'the-token' } }] })
  const plugins = [
    plugin('MutatingAdmissionWebhook', kubeconfig),
    { name: 'ValidatingAdmissionWebhook', path: 'own.yaml' },
  ]
  const config = save('admission.yaml', configuration(plugins))
  save('own.yaml', { apiVersion: group, kind: 'WebhookAdmissionConfiguration', kubeConfigFile: others })
  server = await startApiServer({
    admissionControlConfigFile: config,
    users: [{ token: 'admin-token', user: 'admin', groups: ['system:masters'] }],
  })
})

afterAll(async () => {
  await server.stop()
  await hooks.stop()
  rmSync(directory, { recursive: true })
})

function save(name: string, content: object | string): string {
  const file = join(directory, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

function configuration(plugins: readonly object[]) {
  return { apiVersion: group, kind: 'AdmissionConfiguration', plugins }
}

function plugin(name: string, kubeConfigFile: string) {
  return { name, configuration: { apiVersion: group, kind: 'WebhookAdmissionConfiguration', kubeConfigFile } }
}

function certificateOf({ certFile, keyFile }: CertificateFiles) {
  return { 'client-certificate': certFile, 'client-key': keyFile }
}

function inline({ certFile, keyFile }: CertificateFiles) {
  const data = (file: string) => readFileSync(file).toString('base64')
  return { 'client-certificate-data': data(certFile), 'client-key-data': data(keyFile) }
}

async function send(method: string, path: string, body?: object): Promise<string> {
  const headers = { Authorization: 'Bearer admin-token', 'Content-Type': 'application/json' }
  const sent = { method, path, headers, body: body && JSON.stringify(body) }
  const { status, text } = await call(Number(new URL(server.url).port), sent)
  const answer = JSON.parse(await text)
  return status < 400 ? `${status}` : `${status} ${answer.message}`
}

/** Calls a webhook for a ConfigMap. */
async function ask(type: 'mutating' | 'validating', clientConfig: object): Promise<string> {
  const name = type === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration'
  const path = `/apis/admissionregistration.k8s.io/v1/${name.toLowerCase()}s`
  const webhook = {
    name: 'hook.example.com',
    clientConfig: { caBundle: hooks.caBundle, ...clientConfig },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  }
  asked = []
  expect(await send('POST', path, { metadata: { name: 'hook' }, webhooks: [webhook] })).toBe('201')
  const created = await send('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', { metadata: { name: 'c' } })
  expect(await send('DELETE', `${path}/hook`)).toBe('200')
  return created
}

it('a webhook that requires a client certificate gets the one for its host and port', async () => {
  expect(await ask('mutating', { url: `${hooks.url}/x` })).toBe('201')
  expect(asked.map(({ shownAs, headers }) => [shownAs, headers.authorization])).toEqual([['engine', undefined]])
})

it('a webhook that is a Service is found by its name, and may get a password too', async () => {
  await send('POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'hooks' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  })
  const service = { name: 'hooks', namespace: 'default', path: '/x', port: hooks.port }
  expect(await ask('mutating', { service })).toBe('201')
  const authorization = `Basic ${Buffer.from('engine:pass').toString('base64')}`
  expect(asked.map((request) => [request.shownAs, request.headers.authorization])).toEqual([['engine', authorization]])
})

it('each plugin has its own token', async () => {
  expect(await ask('validating', { url: hooks.url })).toBe('201')
  expect(asked.map((request) => [request.shownAs, request.headers.authorization])).toEqual([
    ['engine', 'Bearer the-token'],
  ])
})

it('a certificate that the webhook refuses fails the call', async () => {
  expect(await ask('mutating', { url: `https://localhost:${hooks.port}` })).toMatch(
    /^500 .*failed calling webhook "hook.example.com"/,
  )
  expect(asked).toEqual([])
})

it('a replaced certificate is used for the next connection', async () => {
  writeFileSync(files.certFile, readFileSync(strangers.certFile))
  writeFileSync(files.keyFile, readFileSync(strangers.keyFile))
  hooks.server.closeAllConnections()
  await eventually(async () => expect(await ask('mutating', { url: hooks.url })).toMatch(/^500 /))
})

const webhooks = 'MutatingAdmissionWebhook'
it.each<[string, () => string, RegExp]>([
  ['no file', () => join(directory, 'none.yaml'), /none\.yaml: there is no such file$/],
  ['no YAML', () => save('a.yaml', 'a: ]'), /a\.yaml: it cannot be read: /],
  ['no object', () => save('b.yaml', '[]'), /b\.yaml: it does not hold an object$/],
  ['another kind', () => save('c.yaml', { apiVersion: group, kind: 'Config' }), /c\.yaml: kind is not AdmissionConf/],
  [
    'another version',
    () => save('d.yaml', { apiVersion: 'v1' }),
    /d\.yaml: apiVersion is not apiserver\.config\.k8s\.io/,
  ],
  [
    'a plugin that cannot be configured',
    () => save('e.yaml', configuration([{ name: 'PodSecurity' }])),
    /plugins\[0\]\.name is "PodSecurity": only MutatingAdmissionWebhook and ValidatingAdmissionWebhook can be configured/,
  ],
  ['a plugin twice', () => save('f.yaml', configuration([plugin(webhooks, ''), plugin(webhooks, '')])), /there twice$/],
  [
    'a relative path',
    () => save('g.yaml', configuration([plugin(webhooks, 'x.yaml')])),
    /plugins\[0\]\.configuration\.kubeConfigFile must be an absolute file path$/,
  ],
  [
    'a missing kubeconfig',
    () => save('h.yaml', configuration([plugin(webhooks, '/none')])),
    /kubeConfigFile points to \/none, which does not exist$/,
  ],
  [
    'a missing certificate',
    () => withUser('i', { 'client-certificate': '/none', 'client-key': strangers.keyFile }),
    /users\["\*"\]\.user\.client-certificate points to \/none, which cannot be read \(ENOENT\)$/,
  ],
  [
    'a key of another certificate',
    () => withUser('j', { 'client-certificate': strangers.certFile, 'client-key': otherKey() }),
    /users\["\*"\]\.user\.client-certificate cannot be used with its client-key/,
  ],
  ['a program', () => withUser('k', { exec: { command: 'x' } }), /\.exec is not supported for webhooks$/],
])('at the start, a file with %s is refused', async (_, file, message) => {
  await expect(readAdmissionConfig(file())).rejects.toThrow(message)
})

function withUser(name: string, user: object): string {
  const kubeconfig = save(`${name}-users.yaml`, { users: [{ name: '*', user }] })
  return save(`${name}.yaml`, configuration([plugin(webhooks, kubeconfig)]))
}

function otherKey(): string {
  return save('other-key.pem', readFileSync(join(directory, 'engine-ca-key.pem'), 'utf8'))
}
