import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../src/base/log.ts'
import { strangersFile } from '../../src/platform/audit/audit.ts'
import { broughtValue } from '../support/canary/brought-value.ts'
import { eventually } from '../support/eventually.ts'
import { group, keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

const brought = broughtValue('first')
const next = broughtValue('next')
const applied = broughtValue('applied')
const wrong = broughtValue('wrong')
const tokens = { idToken: 'canary-id-token', accessToken: 'canary-access-token', refreshToken: 'canary-refresh-token' }
const merge = 'application/merge-patch+json'
const json = 'application/json-patch+json'
const annotation = 'kubectl.kubernetes.io/last-applied-configuration'

let platform: TestPlatform
let auditFile = ''
const logged: string[] = []
const secrets: string[] = [brought, next, applied]
/** Answers that may show a value. */
const shown = new Set<string>()

beforeAll(async () => {
  const auditDirectory = await mkdtemp(join(tmpdir(), 'tenant-audit-'))
  auditFile = join(auditDirectory, 'audit.log')
  const log = createLog({ level: 'debug', write: (line) => logged.push(line) })
  platform = await startPlatform({ log, platform: { domain: 'platform.internal', audit: { file: auditFile } } })
  await platform.must('POST', `${management}/users`, userNamed('ann'))
})

afterAll(async () => {
  await platform.stop()
  await rm(dirname(auditFile), { recursive: true, force: true })
})

async function showing(method: string, path: string, body: unknown, type?: string): Promise<string> {
  const before = platform.answers.length
  const answer = await platform.ask(method, path, { body, ...(type === undefined ? {} : { type }) })
  expect(answer.status).toBeLessThan(300)
  for (const text of platform.answers.slice(before)) shown.add(text)
  expect(answer.body.spec.key).toBeTypeOf('string')
  return answer.body.spec.key
}

describe('the value of a key', () => {
  it('is in the responses that created or rotated it, and nowhere else', async () => {
    const metadata = { name: 'brought', annotations: { [annotation]: JSON.stringify({ spec: { key: brought } }) } }
    await showing('POST', keysPath, { metadata, spec: { user: 'ann', key: brought } })
    const minted = await showing('POST', keysPath, { metadata: { name: 'minted' }, spec: { user: 'ann' } })
    const rotated = await showing('POST', `${keysPath}/minted/rotate`, { overlapSeconds: 60 })
    secrets.push(minted, rotated)
    await showing('PATCH', `${keysPath}/brought`, { spec: { key: next } }, merge)
    const config = {
      apiVersion: `${group}/v1`,
      kind: 'OwnedAccessKey',
      metadata: { name: 'applied' },
      spec: { user: 'ann', key: applied, displayName: 'x' },
    }
    const apply = 'application/apply-patch+yaml'
    await showing('PATCH', `${keysPath}/applied?fieldManager=gitops`, config, apply)
    const watch = await platform.watch(`${keysPath}?watch=true`, rotated)

    const ask = (method: string, path: string, body?: unknown, type?: string, token?: string) =>
      platform.ask(method, path, {
        body,
        ...(type === undefined ? {} : { type }),
        ...(token === undefined ? {} : { token }),
      })
    for (const name of ['brought', 'minted', 'applied']) {
      const { body } = await ask('GET', `${keysPath}/${name}`)
      await ask('PUT', `${keysPath}/${name}`, { ...body, spec: { ...body.spec, description: 'put' } })
      await ask('PATCH', `${keysPath}/${name}`, { spec: { description: 'patched' } }, merge)
      await ask('PATCH', `${keysPath}/${name}?dryRun=All`, { spec: { key: next } }, merge)
      await ask('GET', `${keysPath}/${name}/status`)
    }
    await ask('PATCH', `${keysPath}/applied?fieldManager=gitops`, config, apply)
    await ask('PATCH', `${keysPath}/applied?fieldManager=other`, config, apply)
    await ask('POST', `${keysPath}?dryRun=All`, { metadata: { name: 'dry' }, spec: { user: 'ann', key: next } })
    await ask('POST', keysPath, { metadata: { name: 'taken' }, spec: { user: 'ann', key: next } })
    await ask('POST', keysPath, { metadata: { name: 'Not A Name' }, spec: { user: 'ann', key: next } })
    await ask('POST', keysPath, { metadata: { name: 'both' }, spec: { user: 'ann', team: 't', key: next } })
    await ask('PATCH', `${keysPath}/brought`, [{ op: 'test', path: '/spec/key', value: next }], json)
    await ask('PATCH', `${keysPath}/brought`, [{ op: 'add', path: '/spec/nope/key', value: next }], json)
    await ask(
      'PATCH',
      `${keysPath}/brought?fieldValidation=Strict`,
      [{ op: 'add', path: '/x', value: next, y: 1 }],
      json,
    )
    await ask('POST', keysPath, `{"spec":{"key":"${next}"}}`)
    await ask('POST', keysPath, `{"spec":{"key":"${next}"`)
    await ask('POST', keysPath, `spec: {key: ${next}`, 'application/yaml')
    await ask('POST', `${keysPath}?fieldValidation=Strict`, {
      metadata: { name: 's' },
      spec: { [next]: next, key: [next] },
    })
    await ask('GET', keysPath, undefined, undefined, `${next}x`)
    await ask('GET', `${management}/users/ann/accesskeys`)
    await ask('GET', keysPath, undefined, undefined, wrong)
    for (const token of [minted, rotated, next]) await ask('GET', keysPath, undefined, undefined, token)
    await ask('POST', `${management}/selves`, {}, undefined, rotated)
    await ask('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, undefined, rotated)
    await ask('GET', '/metrics')
    await ask('GET', '/openapi/v2')
    await eventually(async () => {
      const { body } = await ask('GET', '/api/v1/namespaces/default/events')
      expect(body.items.length).toBeGreaterThanOrEqual(5)
    })
    await ask('DELETE', `${keysPath}/applied`)
    await expect.poll(watch.text).toContain('DELETED')
    watch.stop()

    const told = platform.answers.filter((text) => !shown.has(text))
    expect(told.length).toBeGreaterThan(30)
    const leaks = secrets.flatMap((secret) =>
      [...told, ...logged, watch.text()].filter((text) => text.includes(secret)),
    )
    expect(leaks).toEqual([])
  })

  it('is not in the files of the database', async () => {
    const directory = join(platform.server.directory, 'store')
    const files = await readdir(directory)
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const bytes = await readFile(join(directory, file))
      for (const secret of secrets) expect(bytes.includes(secret), `${secret} in ${file}`).toBe(false)
    }
  })
})

describe('a refusal', () => {
  it('that quotes the request does not contain the value of a key', async () => {
    const { spec, status } = await platform.must('POST', keysPath, {
      metadata: { name: 'asked' },
      spec: { user: 'ann' },
    })
    for (const path of [`/api/v1/namespaces/default/secrets/${spec.key}`, `${keysPath}/${spec.key}`]) {
      const refused = await platform.ask('GET', path)
      expect(refused).toMatchObject({ status: 404, body: { details: { name: `tpk_${status.keyId}_[hidden]` } } })
      expect(refused.text).not.toContain(spec.key)
    }
  })
})

describe('the audit log', () => {
  it('records who did what with which key and the decision, without values', async () => {
    const scope = { projects: [{ project: 'p' }] }
    const spec = { user: 'ann', scope }
    const made = await platform.must('POST', keysPath, { metadata: { name: 'audited' }, spec })
    await platform.ask('GET', '/api/v1/namespaces/default/secrets/s?token=abc', { token: made.spec.key })
    await platform.ask('GET', `/api/v1/namespaces/default/secrets/${made.spec.key}`)
    await platform.ask('GET', keysPath, { token: wrong })
    secrets.push(made.spec.key)
    await eventually(async () => {
      const text = await readFile(auditFile, 'utf8')
      const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
      expect(lines).toContainEqual(
        expect.objectContaining({
          keyId: made.status.keyId,
          user: 'ann',
          verb: 'get',
          path: '/api/v1/namespaces/default/secrets/s',
          decision: 'deny',
          layer: 'scope',
          code: 403,
          source: '127.0.0.1',
          latencyMs: expect.any(Number),
        }),
      )
      const strangers = await readFile(strangersFile(auditFile), 'utf8')
      const [refused] = strangers.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
      expect(refused).toMatchObject({ decision: 'unauthenticated', layer: 'key', code: 401 })
      expect(text).not.toContain('unauthenticated')
      expect(lines).toContainEqual(expect.objectContaining({ user: 'admin', verb: 'create', decision: 'allow' }))
      for (const secret of [...secrets, wrong, 'token=abc']) expect(text + strangers).not.toContain(secret)
    })
  })
})

describe('tokens of single sign-on', () => {
  it('from another issuer are refused without being repeated', async () => {
    const body = {
      metadata: { name: 'sso' },
      spec: { user: 'ann', oidcLogin: tokens, identity: { connectorData: 'canary-data' } },
    }
    const { status, text } = await platform.ask('POST', keysPath, { body })
    expect(status).toBe(422)
    for (const secret of [...Object.values(tokens), 'canary-data']) expect(text).not.toContain(secret)
  })
})
