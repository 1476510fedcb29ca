import { request } from 'undici'
import { coreKinds } from '../../src/api/core/kinds.ts'
import { managementKinds } from '../../src/api/management/kinds.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../support/clusters/api-server.ts'
import { patientAgent } from '../support/network/patient-agent.ts'
import { type TestClock, testClock } from '../support/registry.ts'

export const group = 'management.platform.internal'
export const management = `/apis/${group}/v1`
export const keysPath = `${management}/ownedaccesskeys`

export interface Answered {
  readonly status: number
  readonly warnings: readonly string[]
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
  readonly body: any
}

export interface Asked {
  readonly token?: string
  readonly body?: unknown
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestPlatform {
  readonly server: TestServer
  readonly clock: TestClock
  /** The text of every answer so far, to search for leaked secrets. */
  readonly answers: readonly string[]
  ask(method: string, path: string, asked?: Asked): Promise<Answered>
  /** Sends a request as the administrator, which must succeed. */
  must(method: string, path: string, body?: unknown): Promise<Answered['body']>
  /** A key of the user with all rights of the user. */
  keyOf(user: string, spec?: object): Promise<string>
  watch(path: string, token: string, headers?: Asked['headers']): Promise<OpenWatch>
  stop(): Promise<void>
}

export interface OpenWatch {
  readonly status: number
  readonly text: () => string
  readonly ended: Promise<void>
  stop(): void
}

export async function startPlatform(options: TestServerOptions = {}): Promise<TestPlatform> {
  const clock = testClock()
  const kinds = [...coreKinds(), ...managementKinds('platform.internal')]
  const platform = { domain: 'platform.internal', ...options.platform }
  const server = await startTestServer({ clock, ...options, kinds, platform })
  const client = clientOf(server.url, server.authority)
  let made = 0
  const must = async (method: string, path: string, body?: unknown) => {
    const answer = await client.ask(method, path, { body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.body
  }
  return {
    ...client,
    server,
    clock,
    must,
    keyOf: async (user, spec = {}) => {
      made += 1
      const answer = await must('POST', keysPath, {
        metadata: { name: `key-${made}-${user}` },
        spec: { user, ...spec },
      })
      return answer.spec.key
    },
    stop: async () => {
      await client.close()
      await server.stop()
    },
  }
}

const kindsByPlural: Readonly<Record<string, string>> = {
  ownedaccesskeys: 'OwnedAccessKey',
  users: 'User',
  connectors: 'Connector',
  oidcclients: 'OIDCClient',
  teams: 'Team',
  projects: 'Project',
  virtualclusterinstances: 'VirtualClusterInstance',
}

/** Management objects must have a kind; the path determines it. */
function withKind(method: string, path: string, body: unknown): unknown {
  const segments = path.split('?')[0]?.split('/') ?? []
  const plural = segments.find((segment) => segment in kindsByPlural)
  const isWhole = method === 'POST' ? segments.at(-1) === plural : method === 'PUT'
  if (!isWhole || plural === undefined || typeof body !== 'object') return body
  return { apiVersion: `${group}/v1`, kind: kindsByPlural[plural], ...body }
}

export function clientOf(url: string, ca: string, adminToken = 'admin-token') {
  const dispatcher = patientAgent({ ca })
  const answers: string[] = []
  const headersOf = ({ token = adminToken, type = 'application/json', headers = {} }: Asked) => ({
    'content-type': type,
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    ...headers,
  })
  return {
    answers,
    ask: async (method: string, path: string, asked: Asked = {}): Promise<Answered> => {
      const sent = withKind(method, path, asked.body)
      const body = sent === undefined ? null : typeof sent === 'string' ? sent : JSON.stringify(sent)
      const answer = await request(`${url}${path}`, {
        method: method as 'GET',
        dispatcher,
        headers: headersOf(asked),
        body,
      })
      const text = await answer.body.text()
      const warnings = [answer.headers.warning ?? []].flat()
      answers.push(`${JSON.stringify(answer.headers)}\n${text}`)
      return {
        status: answer.statusCode,
        warnings,
        text,
        get body() {
          return JSON.parse(text)
        },
      }
    },
    watch: async (path: string, token: string, headers: Asked['headers'] = {}): Promise<OpenWatch> => {
      const stop = new AbortController()
      const answer = await request(`${url}${path}`, {
        dispatcher,
        headers: headersOf({ token, headers }),
        signal: stop.signal,
      })
      let text = ''
      answer.body.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      const ended = new Promise<void>((resolve) => {
        answer.body.on('end', resolve).on('error', () => resolve())
      })
      return { status: answer.statusCode, text: () => text, ended, stop: () => stop.abort() }
    },
    close: () => dispatcher.destroy(),
  }
}

export function userNamed(name: string, spec: object = {}) {
  return { metadata: { name }, spec }
}

/** Lets a user do things. */
export async function grant(platform: TestPlatform, user: string, rules: readonly object[]): Promise<void> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  const name = `${user}-${Math.abs(hash(JSON.stringify(rules)))}`
  await platform.must('POST', `${rbac}/clusterroles`, { metadata: { name }, rules })
  await platform.must('POST', `${rbac}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  })
}

function hash(text: string): number {
  let sum = 7
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) | 0
  return sum
}
