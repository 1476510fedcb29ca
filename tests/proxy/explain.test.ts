import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { readEd25519PublicKey } from '../../src/base/keys/ed25519.ts'
import { createLicenseHolder } from '../../src/platform/license/license-holder.ts'
import { embedded, inside, link, startLinkPlatform, type TestLink, tenantKey } from '../link/support.ts'
import { group, keysPath, management, type TestPlatform, userNamed } from '../platform/platform.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { testIssuer, testLicense } from '../support/license.ts'

let platform: TestPlatform
let virtual: TestServer
let linked: TestLink
const keys = new Map<string, string>()

beforeAll(async () => {
  const license = await createLicenseHolder({
    document: await testLicense(['platform-link'], 1),
    issuerKey: readEd25519PublicKey(testIssuer),
    clock: systemClock,
  })
  ;[platform, virtual] = await Promise.all([
    startLinkPlatform({ platform: { domain: 'platform.internal', license } }),
    startTestServer(),
  ])
  for (const name of ['worker', 'reader', 'stranger']) {
    await platform.must('POST', `${management}/users`, userNamed(name))
    keys.set(name, (await platform.must('POST', keysPath, { metadata: { name }, spec: { user: name } })).spec.key)
  }
  const members = [
    { kind: 'User', name: 'worker', role: 'user' },
    { kind: 'User', name: 'reader', role: 'viewer' },
  ]
  await platform.ask('PATCH', `${management}/projects/default`, {
    body: { spec: { members } },
    type: 'application/merge-patch+json',
  })
  const { url, authority } = platform.server
  const accessKey = await tenantKey(platform, 'tenant')
  linked = link({ name: 'dev', accessKey, url, authority, virtualApi: embedded(virtual) })
  await linked.linked()
})

afterAll(async () => {
  await linked.stop()
  await Promise.all([platform.stop(), virtual.stop()])
})

const explain = (key: string, spec: object) => platform.ask('POST', `${keysPath}/${key}/explain`, { body: { spec } })
const target = { project: 'default', virtualCluster: 'dev' }
const deleting = { resourceAttributes: { verb: 'delete', resource: 'configmaps', namespace: 'default', name: 'c' } }

describe('an explanation of a request behind the platform', () => {
  it.each([
    ['worker', true, undefined, 404],
    ['reader', false, 'inside', 403],
    ['stranger', false, 'owner', 403],
  ])('for %s matches the real outcome', async (key, allowed, refusedBy, code) => {
    const { status } = (await explain(key, { ...deleting, target })).body
    expect({ allowed: status.allowed, refusedBy: status.refusedBy }).toEqual({ allowed, refusedBy })
    const path = `${inside('dev')}/api/v1/namespaces/default/configmaps/c`
    expect((await platform.ask('DELETE', path, { token: keys.get(key) ?? '' })).status).toBe(code)
  })

  it('names the rights of the owner there, and what would help', async () => {
    const { findings } = (await explain('reader', { ...deleting, target })).body.status
    expect(findings.at(-1).sentence).toContain('reader has the ClusterRole view')
    expect(findings.at(-1).change.sentence).toContain('spec.access')
    const { findings: refused } = (await explain('stranger', { ...deleting, target })).body.status
    expect(refused.at(-1).change.rule).toEqual({
      verbs: ['use'],
      apiGroups: [group],
      resources: ['virtualclusterinstances'],
      resourceNames: ['dev'],
    })
  })

  it('reports when the target is unavailable', async () => {
    const instance = { metadata: { name: 'idle' } }
    await platform.must('POST', `${management}/namespaces/p-default/virtualclusterinstances`, instance)
    const { status } = (await explain('reader', { ...deleting, target: { ...target, virtualCluster: 'idle' } })).body
    expect(status.summary).toContain('could not be asked')
    expect(status.findings.at(-1)).toMatchObject({ layer: 'inside', sentence: expect.stringContaining('offline') })
  })
})

describe('an explanation of registering a virtual cluster', () => {
  const registering = (name: string) => ({
    resourceAttributes: {
      verb: 'create',
      group,
      resource: 'virtualclusterinstances',
      subresource: 'register',
      namespace: 'p-default',
      name,
    },
  })

  it('names the license, which keeps registered ones', async () => {
    expect((await explain('tenant', registering('dev'))).body.status).toMatchObject({ allowed: true })
    const { status } = (await explain('tenant', registering('another'))).body
    expect(status).toMatchObject({ allowed: false, refusedBy: 'license' })
    expect(status.summary).toContain('is for 1 virtual clusters')
  })
})

describe('an empty question', () => {
  it.each([
    [{}],
    [{ resourceAttributes: {} }],
    [{ resourceAttributes: { verb: 'get' } }],
    [{ resourceAttributes: { resource: 'pods' } }],
    [{ nonResourceAttributes: {} }],
    [{ nonResourceAttributes: { path: 'version' } }],
    [{ ...deleting, target: { virtualCluster: 'dev' } }],
  ])('is refused: %j', async (spec) => {
    expect((await explain('reader', spec)).status).toBe(400)
  })
})
