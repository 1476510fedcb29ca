import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { broughtValue } from '../../support/canary/brought-value.ts'
import { makeCertificates } from '../../support/certificates.ts'

export const githubToken = broughtValue('github-token')
export const githubSecret = broughtValue('github-client-secret')

/** How the server behaves from now on. Absent fields mean correct behavior. */
export interface GithubScript {
  user?: unknown
  emails?: readonly object[]
  memberships?: unknown
  teams?: readonly object[]
  scope?: string
  /** An answer of the API that replaces the correct one. */
  answer?: { readonly status: number; readonly body: unknown }
  token?: object
  /** A state that replaces the correct one in the answer to the browser. */
  state?: string
}

export const membership = (login: string, state = 'active') => ({ state, organization: { login } })
export const team = (login: string, slug: string) => ({ slug, organization: { login } })

/** A GitHub Enterprise Server with scripted behavior. */
export class ScriptedGithub {
  readonly url: string
  readonly authority: string
  script: GithubScript = {}
  readonly requests: string[] = []
  readonly #server: Server
  readonly #directory: string
  /** Challenges by their codes, each valid once. */
  readonly #codes = new Map<string, string>()

  private constructor(server: Server, directory: string, authority: string) {
    this.#server = server
    this.#directory = directory
    this.authority = authority
    this.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(): Promise<ScriptedGithub> {
    const directory = await mkdtemp(join(tmpdir(), 'tenant-github-'))
    const { caFile, certFile, keyFile } = await makeCertificates(directory, 'github')
    const [authority = '', cert, key] = await Promise.all(
      [caFile, certFile, keyFile].map((file) => readFile(file, 'utf8')),
    )
    const server = createServer({ cert, key })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const github = new ScriptedGithub(server, directory, authority)
    server.on('request', async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { status, location, body } = github.#answer(request, Buffer.concat(chunks).toString())
      response.writeHead(status, { 'content-type': 'application/json', ...(location ? { location } : {}) })
      response.end(JSON.stringify(body))
    })
    return github
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    await rm(this.#directory, { recursive: true, force: true })
  }

  #answer(request: IncomingMessage, body: string): Answer {
    const url = new URL(request.url ?? '/', this.url)
    this.requests.push(`${url.pathname}${url.search}`)
    if (url.pathname === '/login/oauth/authorize') return this.#authorize(url.searchParams)
    if (url.pathname === '/login/oauth/access_token')
      return { status: 200, body: this.#token(new URLSearchParams(body)) }
    if (url.pathname === '/api/v3/') return { status: 200, body: {} }
    if (this.script.answer !== undefined) return this.script.answer
    if (request.headers.authorization !== `Bearer ${githubToken}`) return { status: 401, body: {} }
    return this.#api(url)
  }

  #authorize(query: URLSearchParams): Answer {
    const code = `code-${this.requests.length}`
    this.#codes.set(code, query.get('code_challenge') ?? '')
    const state = this.script.state ?? query.get('state') ?? ''
    return { status: 302, location: `${query.get('redirect_uri')}?${new URLSearchParams({ code, state })}`, body: {} }
  }

  #token(form: URLSearchParams): object {
    const challenge = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    const shown = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (form.get('client_secret') !== githubSecret) return { error: 'incorrect_client_credentials' }
    if (challenge !== shown) return { error: 'bad_verification_code', error_description: 'The code is incorrect' }
    const { scope = 'read:org,read:user,user:email' } = this.script
    return this.script.token ?? { access_token: githubToken, scope, token_type: 'bearer' }
  }

  #api({ pathname, searchParams }: URL): Answer {
    const { user, emails = [], memberships = [membership('acme')], teams = [] } = this.script
    const page = (items: unknown) => {
      if (!Array.isArray(items)) return items
      const [size, number] = [Number(searchParams.get('per_page')), Number(searchParams.get('page'))]
      return items.slice((number - 1) * size, number * size)
    }
    switch (pathname) {
      case '/api/v3/user':
        return {
          status: 200,
          body: user ?? { id: 583231, login: 'octocat', name: 'The Octocat', email: 'root@example.com' },
        }
      case '/api/v3/user/emails':
        return { status: 200, body: page(emails) }
      case '/api/v3/user/memberships/orgs':
        return { status: 200, body: page(memberships) }
      case '/api/v3/user/teams':
        return { status: 200, body: page(teams) }
      default:
        return { status: 404, body: {} }
    }
  }
}

interface Answer {
  readonly status: number
  readonly location?: string
  readonly body: unknown
}
