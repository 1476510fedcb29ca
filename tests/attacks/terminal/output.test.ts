import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { hasUnseen } from '../../../src/base/unseen.ts'
import { printKubeconfig } from '../../../src/cluster/kubeconfig.ts'
import { type Answer, startTlsServer, type TlsServer } from '../../cli/platform/tls-server.ts'
import { makeWorkplace, type Run, type Workplace } from '../../create/workplace.ts'
import { payloadNames, payloads } from './payloads.ts'

let hostile = ''
let server: TlsServer
let place: Workplace

const json = (body: object, status = 200): Answer => ({ status, body: JSON.stringify(body) })
const column = (name: string, priority = 0) => ({ name, type: 'string', priority })

/** A platform and a cluster that give the same hostile answer to every request. */
function respond(path: string): Answer {
  const { pathname, searchParams } = new URL(path, 'https://platform')
  const warning = { warning: `299 - "${inHeader(hostile)}"` }
  const key = {
    apiVersion: 'management.example.com/v1',
    kind: 'OwnedAccessKey',
    metadata: { name: hostile, namespace: hostile, annotations: { [hostile]: hostile } },
    spec: { displayName: hostile, user: hostile, description: `${hostile}\nsecond line`, key: 'k'.repeat(40) },
    status: { phase: hostile, lastUsedFrom: hostile, expiresAt: '2030-01-01T00:00:00Z' },
  }
  if (pathname === '/apis') return json({ kind: 'APIGroupList', groups: [{ name: 'management.example.com' }] })
  if (pathname === '/api') return json({ kind: 'APIVersions', versions: ['v1'] })
  if (pathname === '/api/v1') {
    const pods = { name: 'pods', namespaced: true, kind: 'Pod', singularName: 'pod', verbs: ['get', 'list'] }
    return json({ kind: 'APIResourceList', groupVersion: 'v1', resources: [pods] })
  }
  if (pathname.endsWith('/log'))
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: `${hostile}\r\n` }
  if (pathname.endsWith('/pods')) {
    const items = ['a', 'b'].map((name) => ({ metadata: { namespace: 'x', name, uid: name } }))
    return json({ kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items })
  }
  if (pathname.endsWith('/selves')) {
    const accessKey = { name: hostile, keyId: hostile, scope: { projects: [{ project: hostile }] } }
    const userInfo = { username: hostile, groups: [hostile] }
    return json({ status: { user: hostile, teams: [hostile], userInfo, accessKey } }, 201)
  }
  if (pathname.endsWith('/refused')) {
    const causes = [{ reason: hostile, message: hostile }]
    return json(
      { kind: 'Status', status: 'Failure', code: 401, message: hostile, reason: hostile, details: { causes } },
      401,
    )
  }
  if (pathname.endsWith('/forbidden')) {
    return json({ kind: 'Status', status: 'Failure', code: 403, message: hostile, reason: 'Forbidden' }, 403)
  }
  if (pathname.endsWith('/explain')) {
    const findings = [{ layer: hostile, allows: false, sentence: hostile, change: { sentence: hostile } }]
    return json({ status: { allowed: false, refusedBy: hostile, findings } }, 201)
  }
  if (pathname.endsWith('/advise')) {
    const uncovered = [{ verb: hostile, resource: hostile }]
    return json(
      { status: { scope: { projects: [{ project: hostile }] }, uncovered, uses: 1, usesSince: hostile } },
      201,
    )
  }
  if (searchParams.has('limit') && pathname.endsWith('/virtualclusterinstances')) {
    return json({ kind: 'List', metadata: {}, items: [{ ...key, status: { version: { kubernetes: hostile } } }] })
  }
  const table = {
    kind: 'Table',
    columnDefinitions: [column('Name'), column(hostile, 1)],
    rows: [{ cells: [hostile, hostile] }],
  }
  if (pathname.endsWith('/ownedaccesskeys/table') || pathname.endsWith('/ownedaccesskeys')) {
    return json({ ...table, kind: 'OwnedAccessKeyList', metadata: {}, items: [key] })
  }
  return { ...json({ ...key, ...table, kind: 'OwnedAccessKey' }), headers: warning }
}

/** Headers hold single-byte characters without C0 controls. */
function inHeader(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\x80-\xff]|["\\]/g, '')
}

beforeAll(async () => {
  server = await startTlsServer({}, respond)
  const kubeconfig = { name: 'host', server: server.url, certificateAuthority: server.authority, token: 't' }
  place = makeWorkplace()
  place.file('kubeconfig', printKubeconfig([kubeconfig]))
  place.file('ca.crt', server.authority)
  const login = ['platform', 'login', server.url, '--access-key-stdin', '--ca', `${place.directory}/ca.crt`]
  const { exitCode, stderr } = await place.tenant([...login, '--name', 'p'], { input: 'x'.repeat(40) })
  if (exitCode !== 0) throw new Error(stderr)
})

afterAll(async () => {
  place?.remove()
  await server?.stop()
})

/** The characters that a terminal would interpret, except our own line breaks and tabs. */
function actedOn({ stdout, stderr }: Run): readonly string[] {
  return [stdout, stderr].filter((text) => hasUnseen(text.replaceAll(/[\n\t]/g, '')))
}

/** A few payloads in one name, so that none of them is cut off as too long. */
const together = [0, 5, 10].map((first) => payloadNames.slice(first, first + 5))

const commands: readonly (readonly [string, readonly string[]])[] = [
  ['the user, who logs in', ['platform', 'whoami']],
  ['the user, by name', ['platform', 'whoami', '-o', 'name']],
  ['the user, as JSON', ['platform', 'whoami', '-o', 'json']],
  ['the user, as YAML', ['platform', 'whoami', '-o', 'yaml']],
  ['a list of keys', ['platform', 'keys', 'list']],
  ['a list of keys, with all columns', ['platform', 'keys', 'list', '-o', 'wide']],
  ['a list of keys, by name', ['platform', 'keys', 'list', '-o', 'name']],
  ['a list of keys, as JSON', ['platform', 'keys', 'list', '-o', 'json']],
  ['a list of keys, as YAML', ['platform', 'keys', 'list', '-o', 'yaml']],
  ['a key', ['platform', 'keys', 'get', 'table']],
  ['a key, by name', ['platform', 'keys', 'get', 'k', '-o', 'name']],
  ['a key, as JSON', ['platform', 'keys', 'get', 'k', '-o', 'json']],
  ['a key, as YAML', ['platform', 'keys', 'get', 'k', '-o', 'yaml']],
  ['a key that is shown once', ['platform', 'keys', 'rotate', 'k']],
  ['a key that is disabled', ['platform', 'keys', 'disable', 'k', '-o', 'name']],
  ['an explanation', ['platform', 'keys', 'explain', 'k', '--verb', 'get', '--resource', 'pods']],
  ['advice', ['platform', 'keys', 'advise', 'k']],
  ['virtual clusters', ['list']],
  ['virtual clusters, with all columns', ['list', '-o', 'wide']],
  ['virtual clusters, by name', ['list', '-o', 'name']],
  ['virtual clusters, as YAML', ['list', '-o', 'yaml']],
  ['a refusal', ['platform', 'keys', 'get', 'forbidden']],
  ['a refusal of the key', ['platform', 'keys', 'get', 'refused']],
  ['the log of a pod', ['logs', 'x', '-n', 'x', '--kubeconfig', 'KUBECONFIG']],
  ['a wrong argument', ['platform', 'keys', 'get', 'k', '-o', 'HOSTILE']],
  ['a name that was given', ['platform', 'use', 'HOSTILE']],
  ['a configuration', ['config', 'validate', '-f', 'CONFIG']],
  ['an object that is read', ['patch', 'test', '-f', 'EMPTY', '--resource', 'endpoints', '--object', 'OBJECT']],
]

describe.each([
  ['a terminal', true],
  ['a pipe', false],
])('on %s', (_, onTerminal) => {
  test.each(commands)('nothing in %s affects the terminal', async (_what, args) => {
    const files: Readonly<Record<string, () => string>> = {
      HOSTILE: () => hostile,
      KUBECONFIG: () => `${place.directory}/kubeconfig`,
      CONFIG: () => place.file('tenant.yaml', JSON.stringify({ [hostile]: hostile, sync: { toHost: hostile } })),
      EMPTY: () => place.file('empty.yaml', '{}'),
      OBJECT: () =>
        place.file(
          'object.json',
          JSON.stringify({
            apiVersion: 'v1',
            kind: 'Endpoints',
            metadata: { name: hostile, annotations: { a: hostile } },
          }),
        ),
    }
    for (const names of together) {
      hostile = names.map((name) => payloads[name]).join(' and ')
      const run = await place.tenant(
        args.map((arg) => files[arg]?.() ?? arg),
        { onTerminal, env: { NO_COLOR: '1' } },
      )
      expect(actedOn(run), `${names.join()} in ${run.stdout}${run.stderr}`).toEqual([])
      expect(run.stdout + run.stderr).not.toBe('')
    }
  })
})

test.each(payloadNames)('%s survives JSON and YAML unchanged', async (name) => {
  hostile = payloads[name]
  const asJson = JSON.parse((await place.tenant(['platform', 'keys', 'get', 'k', '-o', 'json'])).stdout)
  const asYaml = parse((await place.tenant(['platform', 'keys', 'get', 'k', '-o', 'yaml'])).stdout)
  expect(asJson.metadata.name).toBe(hostile)
  expect(asYaml.metadata.annotations).toEqual({ [hostile]: hostile })
})
