import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, request } from 'undici'
import { expect } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { patientAgent } from '../support/network/patient-agent.ts'

export type Body = Readonly<Record<string, unknown>>

/** The fields that the tests use. */
interface Shown {
  readonly metadata: { readonly uid: string; readonly finalizers?: readonly string[] }
  readonly spec: unknown
  readonly status: {
    readonly conditions: readonly unknown[] | null
    readonly acceptedNames: { readonly plural: string; readonly kind: string }
  }
  readonly message: string
  readonly items: readonly unknown[]
  readonly rows: readonly { readonly cells: readonly unknown[] }[]
  readonly resources: readonly { readonly name: string; readonly verbs: readonly string[] }[]
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: { readonly spec: unknown } }>>
  }
}

export interface Answer {
  readonly status: number
  readonly body: Shown
  readonly warning: string
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** A server with custom kinds, and requests to it. It can be stopped and started again on the same data. */
export class DefinitionsWorld {
  readonly #directory: string
  readonly #options: TestServerOptions
  server: TestServer
  agent: Agent

  private constructor(directory: string, options: TestServerOptions, server: TestServer) {
    this.#directory = directory
    this.#options = options
    this.server = server
    this.agent = agentOf(server)
  }

  static async start(options: TestServerOptions = {}): Promise<DefinitionsWorld> {
    const directory = await mkdtemp(join(tmpdir(), 'definitions-'))
    const all = { kinds: builtinKinds(), directory, ...options }
    return new DefinitionsWorld(directory, all, await startTestServer(all))
  }

  async restart(): Promise<void> {
    await this.agent.close()
    await this.server.stop()
    this.server = await startTestServer(this.#options)
    this.agent = agentOf(this.server)
  }

  async remove(): Promise<void> {
    await this.agent.close()
    await this.server.stop()
    await rm(this.#directory, { recursive: true, force: true })
  }

  async ask(method: Method, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const all = { authorization: 'Bearer admin-token', 'content-type': contentType, ...headers }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await request(`${this.server.url}${path}`, { method, headers: all, dispatcher: this.agent, ...sent })
    const text = await answer.body.text()
    const warning = String(answer.headers.warning ?? '')
    return { status: answer.statusCode, body: text.startsWith('{') ? JSON.parse(text) : {}, warning }
  }

  async define(body: Body): Promise<void> {
    expect(await this.ask('POST', definitions, body)).toMatchObject({ status: 201 })
    await this.established((body.metadata as { name: string }).name)
  }

  established(name: string): Promise<void> {
    return this.condition(name, { type: 'Established', status: 'True' })
  }

  async condition(name: string, expected: Body): Promise<void> {
    await eventually(async () => {
      const { body } = await this.ask('GET', `${definitions}/${name}`)
      expect(body.status.conditions).toContainEqual(expect.objectContaining(expected))
    })
  }

  async gone(path: string): Promise<void> {
    await eventually(async () => expect((await this.ask('GET', path)).status).toBe(404))
  }
}

function agentOf(server: TestServer): Agent {
  return patientAgent({ ca: server.authority })
}

/** In `example.com`, with one version. `more` is part of that version. */
export function definition(plural: string, kind: string, spec: Body, more: Body = {}): Body {
  const openAPIV3Schema = { type: 'object', properties: { spec } }
  return definitionIn('example.com', plural, kind, [versionNamed('v1', { schema: { openAPIV3Schema }, ...more })])
}

export function versionNamed(name: string, more: Body = {}): Body {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...more }
}

export function definitionIn(group: string, plural: string, kind: string, versions = [versionNamed('v1')]): Body {
  const annotations = { 'api-approved.kubernetes.io': 'https://example.com' }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, annotations },
    spec: { group, scope: 'Namespaced', names: { plural, kind }, versions },
  }
}

export function objects(plural: string, namespace = 'default', version = 'v1'): string {
  return `/apis/example.com/${version}/namespaces/${namespace}/${plural}`
}

export function object(kind: string, name: string, spec: unknown, metadata: Body = {}): Body {
  return { apiVersion: 'example.com/v1', kind, metadata: { name, ...metadata }, spec }
}

export const sized = { type: 'object', properties: { size: { type: 'integer' } } }
