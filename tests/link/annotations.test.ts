import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { annotationsHeader } from '../../src/api/link.ts'
import type { TestPlatform } from '../platform/platform.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { embedded, inside, link, startLinkPlatform, type TestLink, tenantKey } from './support.ts'

let platform: TestPlatform
let virtual: TestServer
let linked: TestLink
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-link-'))
  const audit = { file: join(directory, 'audit.log') }
  ;[platform, virtual] = await Promise.all([
    startLinkPlatform({ platform: { domain: 'platform.internal', audit } }),
    startTestServer({ kinds: builtinKinds() }),
  ])
  const { url, authority } = platform.server
  linked = link({ url, authority, virtualApi: embedded(virtual), accessKey: await tenantKey(platform, 'tenant') })
  await linked.linked()
})

afterAll(async () => {
  await linked.stop()
  await Promise.all([platform.stop(), virtual.stop()])
  await rm(directory, { recursive: true, force: true })
})

it('audit annotations of a virtual cluster are in the audit line of the platform, not in the response', async () => {
  const spec = { containers: [{ name: 'c', image: 'i' }] }
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec }
  const path = `${inside('dev')}/api/v1/namespaces/default/pods?dryRun=All`
  expect((await platform.ask('POST', path, { body: pod })).status).toBe(201)
  expect(platform.answers.join().toLowerCase()).not.toContain(annotationsHeader)
  await eventually(async () => {
    const lines = (await readFile(join(directory, 'audit.log'), 'utf8')).trim().split('\n')
    const made = lines
      .map((line) => JSON.parse(line))
      .find(({ object, code }) => object?.resource === 'pods' && code === 201)
    expect(made).toMatchObject({
      target: 'project/default/virtualcluster/dev',
      annotations: { 'pod-security.kubernetes.io/enforce-policy': 'privileged:latest' },
    })
  })
})
