import { type Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysPath, management, startPlatform, type TestPlatform, userNamed } from '../../platform/platform.ts'
import { patientAgent } from '../../support/network/patient-agent.ts'

const nested = (depth: number, inner = 'null') => `${'{"spec":'.repeat(depth)}${inner}${'}'.repeat(depth)}`
const spec = (value: unknown) => JSON.stringify({ spec: value })
/** One character is one byte. */
const bytes = (...values: readonly number[]) => String.fromCharCode(...values)

const bodies: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['null', 'null'],
  ['a number', '1e999'],
  ['a text', '"x"'],
  ['a list', '[]'],
  ['a list of lists', '['.repeat(900) + ']'.repeat(900)],
  ['half an object', '{"spec":'],
  ['two objects', '{}{}'],
  ['nesting without end', nested(20_000)],
  ['nesting within the limit', nested(900)],
  ['30,000 members', JSON.stringify(Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`m${at}`, at])))],
  ['a member twice', '{"spec":{"user":"a"},"spec":{"user":"b"}}'],
  ['invalid UTF-8', `{"spec":"${bytes(0xff, 0xfe, 0xc0, 0xaf)}"}`],
  ['a lone surrogate', '{"spec":"\\ud800"}'],
  ['zeros', bytes(0, 0, 0, 0)],
  ['a byte order mark', `${bytes(0xef, 0xbb, 0xbf)}{}`],
  ['members of every object', '{"__proto__":{"spec":{}},"constructor":{"prototype":{"x":1}},"hasOwnProperty":1}'],
  ['a spec that is null', spec(null)],
  ['a spec that is a text', spec('x')],
  ['a spec that is a list', spec([[[]]])],
  ['a spec of another shape', spec({ resourceAttributes: [], nonResourceAttributes: 'x', target: 1, config: {} })],
  ['texts where objects are', spec({ resourceAttributes: { verb: {}, resource: [] }, patches: 'x', object: 'y' })],
  ['objects where texts are', spec({ token: {}, user: {}, groups: {}, audiences: {}, key: {}, proof: {}, name: {} })],
  ['invalid numbers', '{"spec":{"overlapSeconds":1e400,"ttl":-1e308,"expirationSeconds":9007199254740993}}'],
  ['a long name', spec({ resourceAttributes: { verb: 'get', resource: 'x'.repeat(200_000) } })],
  ['a long path', spec({ nonResourceAttributes: { path: '/'.repeat(200_000) } })],
  ['lines of a terminal', spec({ nonResourceAttributes: { path: '/\u001b[2J\u202e\r\nSet-Cookie: a=b' } })],
  ['protobuf', `k8s${bytes(0, 0x0a, 0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f)}`],
]

const reviews: readonly string[] = [
  `${keysPath}/attacked/rotate`,
  `${keysPath}/attacked/explain`,
  `${keysPath}/attacked/advise`,
  `${keysPath}/attacked/usage`,
  `${keysPath}/attacked/audit`,
  `${keysPath}/attacked/holders`,
  `${keysPath}/..%2f..%2fsecrets/explain`,
  `${management}/selves`,
  `${management}/connectionkeys`,
  `${management}/users/ann/accesskeys`,
  `${management}/auditqueries`,
  `${management}/patchevaluations`,
  `${management}/tenantconfigreviews`,
  `${management}/namespaces/p-default/virtualclusterinstances/attacked/register`,
  `${management}/namespaces/p-default/virtualclusterinstances/attacked/reissue`,
  '/apis/authentication.k8s.io/v1/tokenreviews',
  '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  '/apis/authorization.k8s.io/v1/subjectaccessreviews',
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
  '/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews',
  '/api/v1/namespaces/default/serviceaccounts/default/token',
]

const pages: readonly string[] = [
  '/auth/session',
  '/auth/token',
  '/auth/exchange',
  '/auth/device',
  '/auth/device/confirm',
  '/auth/password/none',
  '/auth/login',
  '/console/',
]

/** Paths of virtual clusters and connectors that do not exist, a path to no key, and read-only pages. */
const isAboutNothing = (path: string) => /virtualclusterinstances|%2f|password\/none|^\/console\//.test(path)

describe('bodies that no client sends', () => {
  let platform: TestPlatform
  let agent: Agent
  let ann = ''

  beforeAll(async () => {
    platform = await startPlatform()
    agent = patientAgent({ ca: platform.server.authority }, { connections: 8 })
    await platform.must('POST', `${management}/users`, userNamed('ann'))
    await platform.must('POST', keysPath, { metadata: { name: 'attacked' }, spec: { user: 'ann' } })
    ann = await platform.keyOf('ann')
  })

  afterAll(async () => {
    await agent?.destroy()
    await platform?.stop()
  })

  const statusOf = async (path: string, token: string, body: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = Buffer.from(body, 'latin1')
    const url = `${platform.server.url}${path}`
    const answer = await request(url, { method: 'POST', dispatcher: agent, headers, body: sent })
    await answer.body.dump()
    return answer.statusCode
  }
  /** The paths that were answered with an internal error, or not at all. */
  const failures = async (paths: readonly string[], token: string) => {
    const asked = paths.flatMap((path) => bodies.map(([name, body]) => ({ path, name, body })))
    const failed: string[] = []
    const next = asked[Symbol.iterator]()
    const work = async () => {
      for (const { path, name, body } of next) {
        const status = await statusOf(path, token, body).catch(() => 0)
        if (!(status >= 200 && status < 500)) failed.push(`${status} ${path}: ${name}`)
      }
    }
    await Promise.all(Array.from({ length: 8 }, work))
    return failed
  }
  const expectAsBefore = async () => {
    expect((await platform.ask('GET', '/livez')).status).toBe(200)
    expect((await platform.ask('GET', `${keysPath}/attacked`)).body.spec).toMatchObject({ user: 'ann' })
    expect('spec' in {} || 'x' in {}).toBe(false)
  }

  test('go to paths that are served', async () => {
    const served = [...reviews, ...pages].filter((path) => !isAboutNothing(path))
    const missing = []
    for (const path of served) if ((await statusOf(path, 'admin-token', '{}')) === 404) missing.push(path)
    expect(missing).toEqual([])
  })

  test('are refused by every review, or change nothing else', async () => {
    expect(await failures(reviews, 'admin-token')).toEqual([])
    await expectAsBefore()
  })

  test('are refused by the pages of sign-in', async () => {
    expect(await failures(pages, ann)).toEqual([])
    await expectAsBefore()
  })
})
