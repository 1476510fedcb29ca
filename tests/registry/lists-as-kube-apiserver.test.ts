import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { call, parsedLines } from '../support/network/call.ts'

/** The expected answers were observed from a kube-apiserver 1.32.4. */
let server: RunningApiServer
let port: number
const versions: string[] = []

const maps = '/api/v1/namespaces/default/configmaps'

interface Metadata {
  readonly name?: string
  readonly resourceVersion: string
  readonly generation?: number
  readonly continue?: string
  readonly remainingItemCount?: number
  readonly annotations?: Readonly<Record<string, string>>
}

interface Body {
  readonly metadata: Metadata
  readonly items: readonly { readonly metadata: Metadata }[]
  readonly message?: string
}

async function ask(method: string, path: string, body?: object) {
  const headers = { Authorization: 'Bearer admin-token', 'Content-Type': 'application/json' }
  const { status, text } = await call(port, { method, path, headers, body: body && JSON.stringify(body) })
  return { status, text: await text }
}

async function send(method: string, path: string, body?: object) {
  const { status, text } = await ask(method, path, body)
  const read: Body = JSON.parse(text)
  return { status, body: read }
}

beforeAll(async () => {
  server = await startApiServer({
    controllers: 'none',
    users: [{ token: 'admin-token', user: 'admin', groups: ['system:masters'] }],
  })
  port = Number(new URL(server.url).port)
  for (const index of [0, 1, 2, 3]) {
    const labels = { odd: String(index % 2) }
    const { body } = await send('POST', maps, { metadata: { name: `c${index}`, labels } })
    versions.push(body.metadata.resourceVersion)
  }
})

afterAll(() => server.stop())

function token(rv: number, start: string): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv, start })).toString('base64url')
}

async function names(query: string): Promise<readonly string[]> {
  const { body } = await send('GET', `${maps}?${query}`)
  return body.items.map(({ metadata }) => metadata.name ?? '')
}

describe('handcrafted continue tokens', () => {
  it('continue from the current state', async () => {
    expect(await names(`limit=2&continue=${token(-1, 'c1\0')}`)).toEqual(['c2', 'c3'])
    expect(await names(`limit=1&continue=${token(-1, 'c1')}`)).toEqual(['c1'])
    const { body } = await send('GET', `${maps}?limit=1&continue=${token(-1, 'c0\0')}`)
    expect(body.metadata.remainingItemCount).toBe(2)
  })

  it('report no remaining count if it is impossible', async () => {
    const forged = { v: 'meta.k8s.io/v1', rv: -1, start: 'c0\0', left: 0 }
    const text = Buffer.from(JSON.stringify(forged)).toString('base64url')
    const { body } = await send('GET', `${maps}?limit=1&continue=${text}`)
    expect(body.metadata.remainingItemCount).toBe(2)
  })

  it('of a future state are refused', async () => {
    const { status } = await send('GET', `${maps}?continue=${token(999_999_999, 'c1\0')}`)
    expect(status).toBe(504)
  })
})

describe('pages', () => {
  it('at a version show that version', async () => {
    const { body } = await send('GET', `${maps}?limit=1&resourceVersion=${versions[1]}`)
    expect(body.metadata).toMatchObject({ resourceVersion: versions[1], remainingItemCount: 1 })
  })

  it('of selected objects continue while there are objects', async () => {
    const first = await send('GET', `${maps}?limit=2&labelSelector=odd%3D0`)
    expect(first.body.items).toHaveLength(2)
    expect(first.body.metadata.continue).toMatch(/./)
    expect(await names(`labelSelector=odd%3D0&continue=${first.body.metadata.continue}`)).toEqual([])
  })

  it('of one object do not continue', async () => {
    const { body } = await send('GET', `${maps}?limit=1&fieldSelector=metadata.name%3Dc1`)
    expect(body.metadata.continue).toBeUndefined()
  })
})

async function events(query: string): Promise<readonly string[]> {
  const { text } = await ask('GET', `${maps}?watch=1&timeoutSeconds=1&${query}`)
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const { type, object }: { type: string; object: Body } = JSON.parse(line)
    const { name, annotations = {} } = object.metadata
    return `${type} ${name ?? Object.keys(annotations)[0]}`
  })
}

describe('watches', () => {
  it('report a Pod that is deleted at once as terminating, and then as deleted', async () => {
    const pods = '/api/v1/namespaces/default/pods'
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    const { body } = await send('POST', pods, pod)
    expect(await send('DELETE', `${pods}/p`)).toMatchObject({ status: 200, body: { metadata: { name: 'p' } } })
    const since = `watch=1&timeoutSeconds=1&resourceVersion=${body.metadata.resourceVersion}`
    const { text } = await ask('GET', `${pods}?${since}`)
    const metadata = { deletionTimestamp: expect.any(String), deletionGracePeriodSeconds: 0 }
    expect(parsedLines(text)).toMatchObject([
      { type: 'MODIFIED', object: { metadata } },
      { type: 'DELETED', object: { metadata } },
    ])
  })

  it('that start like a list have no Table', async () => {
    const path = `${maps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`
    const headers = { Authorization: 'Bearer admin-token', Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
    const { status, text } = await call(port, { method: 'GET', path, headers })
    expect({ status, body: JSON.parse(await text) }).toMatchObject({
      status: 406,
      body: {
        message:
          'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
        reason: 'NotAcceptable',
      },
    })
  })

  it('from any state, without initial events, start now', async () => {
    expect(await events('sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0')).toEqual([])
  })

  it('from the current state with bookmarks get a bookmark after it', async () => {
    const state = ['ADDED c0', 'ADDED c1', 'ADDED c2', 'ADDED c3']
    const end = 'BOOKMARK k8s.io/initial-events-end'
    const selector = 'labelSelector=odd'
    expect(await events(`${selector}&allowWatchBookmarks=true`)).toEqual([...state, end])
    expect(await events(`${selector}&allowWatchBookmarks=true&resourceVersion=0`)).toEqual([...state, end])
    expect(await events(selector)).toEqual(state)
  })
})

describe('a written object', () => {
  it('keeps the generation of its writer, if its kind has none', async () => {
    const { body } = await send('POST', `${maps}?dryRun=All`, { metadata: { name: 'x', generation: 5 } })
    expect(body.metadata.generation).toBe(5)
    const refused = await send('POST', `${maps}?dryRun=All`, { metadata: { name: 'x', generation: -1 } })
    expect(refused.body.message).toBe(
      'ConfigMap "x" is invalid: metadata.generation: Invalid value: -1: must be greater than or equal to 0',
    )
  })

  it('may have a version in a dry run, but no deletion fields', async () => {
    const metadata = { name: 'x', resourceVersion: '7', deletionGracePeriodSeconds: 5 }
    const { status, body } = await send('POST', `${maps}?dryRun=All`, { metadata })
    expect(status).toBe(201)
    expect(body.metadata.resourceVersion).toBe('7')
    expect(body.metadata).not.toHaveProperty('managedFields')
    expect((await send('POST', maps, { metadata })).body.message).toBe(
      'resourceVersion should not be set on objects to be created',
    )
  })

  it('with an invalid version is refused', async () => {
    const metadata = { name: 'c0', resourceVersion: 'abc' }
    const { status, body } = await send('PUT', `${maps}/c0`, { metadata })
    expect(status).toBe(400)
    expect(body.message).toBe('strconv.ParseUint: parsing "abc": invalid syntax')
  })

  it('is not created if a uid is given', async () => {
    const { status, body } = await send('PUT', '/apis/coordination.k8s.io/v1/namespaces/default/leases/l', {
      metadata: { name: 'l', uid: 'zz' },
    })
    expect(status).toBe(409)
    expect(body.message).toContain('Precondition failed: UID in precondition: zz, UID in object meta: ')
  })

  it('has a name prefix that is valid for its kind', async () => {
    const { body } = await send('PUT', `${maps}/c0`, { metadata: { name: 'c0', generateName: 'A_' } })
    expect(body.message).toContain('ConfigMap "c0" is invalid: metadata.generateName: Invalid value: "A_": a lowercase')
  })
})

const services = '/api/v1/namespaces/default/services'
const ports = [{ port: 80 }]

it.each([
  [
    { ipFamilies: ['IPv4', 'IPv6'] },
    `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified`,
  ],
  [{ clusterIP: '::1' }, 'spec.clusterIPs[0]: Invalid value: []string{"::1"}: IPv6 is not configured on this cluster'],
  [{ ipFamilies: ['IPv6'] }, 'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
])('a Service with %j is refused', async (spec, problem) => {
  const { body } = await send('POST', services, { metadata: { name: 's' }, spec: { ports, ...spec } })
  expect(body.message).toBe(`Service "s" is invalid: ${problem}`)
})

describe('stricter rules', () => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const rats = '/apis/example.com/v1/namespaces/default/rats'
  const spec = (rules: readonly object[]) => ({
    type: 'object',
    properties: { a: { type: 'string', maxLength: 9, 'x-kubernetes-validations': rules }, b: { type: 'string' } },
  })
  const definition = (rules: readonly object[]) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'rats.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'rats', singular: 'rat', kind: 'Rat', listKind: 'RatList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec: spec(rules), status: { type: 'object' } } },
          },
        },
      ],
    },
  })

  it('only warn about unchanged fields, unless the status is written', async () => {
    await send('POST', definitions, definition([]))
    await expect.poll(async () => (await ask('GET', rats)).status, { timeout: 20_000 }).toBe(200)
    const rat = { apiVersion: 'example.com/v1', kind: 'Rat', metadata: { name: 'r' }, spec: { a: 'long' } }
    const { body } = await send('POST', rats, rat)
    const stricter = definition([{ rule: 'self.size() < 2', message: 'short' }])
    const known = await send('GET', `${definitions}/rats.example.com`)
    const { resourceVersion } = known.body.metadata
    await send('PUT', `${definitions}/rats.example.com`, {
      ...stricter,
      metadata: { ...stricter.metadata, resourceVersion },
    })
    const metadata = { name: 'r', resourceVersion: body.metadata.resourceVersion }
    const dry = (path: string) => ask('PUT', `${rats}/r${path}?dryRun=All`, { ...rat, metadata })
    await expect.poll(async () => (await dry('/status')).status, { timeout: 20_000 }).toBe(422)
    expect((await dry('/status')).text).toContain('spec.a: Invalid value: \\"string\\": short')
    expect((await dry('')).status).toBe(200)
  })
})
