import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLinkPlatform } from '../../link/support.ts'
import { type clientOf, keysPath, type TestPlatform } from '../../platform/platform.ts'
import { encoded, registerHost, secretsPath } from '../../platform/registered-host.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'

const merge = 'application/merge-patch+json'
const rounds = 5

let platform: TestPlatform
let host: TestServer
let onHost: ReturnType<typeof clientOf>
let made = 0

beforeAll(async () => {
  ;[platform, host] = await Promise.all([startLinkPlatform(), startTestServer()])
  onHost = await registerHost(platform, host)
})

afterAll(async () => {
  await onHost.close()
  await Promise.all([platform.stop(), host.stop()])
})

/** A key, and a Secret that receives each of its new values. */
async function keyWithSecret(where: 'platform' | 'host') {
  made += 1
  const name = `raced-${made}`
  const { key } = (await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'admin' } })).spec
  const client = where === 'host' ? onHost : platform
  const secret = { metadata: { name }, data: { accessKey: encoded(key) } }
  expect((await client.ask('POST', secretsPath, { body: secret })).status).toBe(201)
  const place = { namespace: 'default', name, ...(where === 'host' ? { cluster: 'host' } : {}) }
  const body = { spec: { managedSecrets: [place] } }
  expect((await platform.ask('PATCH', `${keysPath}/${name}`, { body, type: merge })).status).toBe(200)
  return {
    name,
    rotate: (overlapSeconds: number) =>
      platform.ask('POST', `${keysPath}/${name}/rotate`, { body: { overlapSeconds } }),
    held: async () => {
      const { data } = (await client.ask('GET', `${secretsPath}/${name}`)).body
      return Buffer.from(data.accessKey, 'base64').toString()
    },
    put: (value: string) =>
      client.ask('PATCH', `${secretsPath}/${name}`, { body: { data: { accessKey: encoded(value) } }, type: merge }),
  }
}

describe.each(['platform', 'host'] as const)('with a Secret on the %s', (where) => {
  test.each([0, 3600])('two concurrent rotations of a key leave the last value there (%d s)', async (overlap) => {
    for (let round = 0; round < rounds; round += 1) {
      const { name, rotate, held } = await keyWithSecret(where)
      const answers = await Promise.all([rotate(overlap), rotate(overlap), rotate(overlap)])
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
      const { keyId } = (await platform.must('GET', `${keysPath}/${name}`)).status
      expect((await held()).slice(4, 16)).toBe(keyId)
    }
  })

  test('a value written by another client during a rotation stays', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { rotate, held, put } = await keyWithSecret(where)
      const [rotated, given] = await Promise.all([rotate(3600), put(`other-${round}`)])
      expect([rotated.status, given.status]).toEqual([201, 200])
      expect(await held()).toBe(`other-${round}`)
    }
  })
})

test('a key that is rotated while it is deleted is gone, with all its values', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { name, rotate } = await keyWithSecret('platform')
    const [rotated, deleted] = await Promise.all([rotate(3600), platform.ask('DELETE', `${keysPath}/${name}`)])
    expect(deleted.status).toBe(200)
    expect([201, 404]).toContain(rotated.status)
    const token = rotated.body.spec?.key
    if (token !== undefined) expect((await platform.ask('GET', keysPath, { token })).status).toBe(401)
    expect((await platform.ask('GET', `${keysPath}/${name}`)).status).toBe(404)
  }
})
