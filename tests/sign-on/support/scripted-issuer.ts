import { createHash, type KeyObject, randomUUID, type webcrypto } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { broughtValue } from '../../support/canary/brought-value.ts'
import { makeCertificates } from '../../support/certificates.ts'

type Claims = Readonly<Record<string, unknown>>
type SigningKey = webcrypto.CryptoKey | KeyObject | Uint8Array

/** The parameters of a sign-in, as the provider received them. */
export interface Asked {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly challenge: string
  readonly scope: string
}

/** How the issuer behaves from now on. Absent fields mean correct behavior. */
export interface Script {
  claims?: Claims
  userInfo?: Claims
  /** Replaces the correct ID token. */
  idToken?: (right: Claims, issuer: ScriptedIssuer) => Promise<string>
  /** Replaces the correct parameters in the answer to the browser. */
  answer?: (right: URLSearchParams) => URLSearchParams
  metadata?: Claims
  /** The answer of the token endpoint. */
  tokenAnswer?: { readonly status: number; readonly body: unknown }
  /** How often the token endpoint says that an answer will come. */
  announcements?: number
  givesNoRefreshToken?: boolean
  /** Replaces the correct one. */
  refreshToken?: string
  refreshesWithoutIdToken?: boolean
  /** Replaces the correct one. */
  refreshedIdToken?: string
  /** The answer to a refresh with this token is delayed until then. */
  heldBack?: (refreshToken: string) => Promise<void> | undefined
  userInfoStatus?: number
  jwks?: { readonly keys?: readonly JWK[] }
  /** The path of the keys, and no other. */
  keysAt?: string
  /** The keys are at the address of the token endpoint. */
  keysAtTokenEndpoint?: boolean
  /** Pages of groups from Microsoft Graph, or the status of a failure. */
  graph?: readonly (readonly string[])[] | number
}

export const refreshToken = broughtValue('refresh-token')
export const accessToken = broughtValue('provider-access-token')
export const clientSecret = 'the secret of the client'

/** An OpenID Connect provider with scripted behavior, correct by default. */
export class ScriptedIssuer {
  readonly url: string
  readonly authority: string
  script: Script = {}
  /** Codes that were issued and not used. */
  readonly codes = new Map<string, Asked>()
  readonly requests: string[] = []
  /** Refresh tokens that were issued and not used. */
  readonly refreshTokens = new Set<string>()
  refreshes = 0
  /** Requests whose sender did not wait for the answer. */
  givenUp = 0
  keys: { readonly privateKey: webcrypto.CryptoKey; readonly jwk: JWK }
  readonly #server: Server
  readonly #directory: string

  private constructor(server: Server, directory: string, authority: string, keys: ScriptedIssuer['keys']) {
    this.#server = server
    this.#directory = directory
    this.authority = authority
    this.keys = keys
    this.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(): Promise<ScriptedIssuer> {
    const directory = await mkdtemp(join(tmpdir(), 'tenant-issuer-'))
    const { caFile, certFile, keyFile } = await makeCertificates(directory, 'issuer')
    const [authority, cert, key] = await Promise.all([caFile, certFile, keyFile].map((file) => readFile(file, 'utf8')))
    const server = createServer({ cert, key })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const issuer = new ScriptedIssuer(server, directory, authority ?? '', await newKeys())
    server.on('request', async (request, response) => {
      const body = await readText(request)
      response.once('close', () => {
        if (!response.writableFinished) issuer.givenUp += 1
      })
      const announcements = request.url === '/token' ? (issuer.script.announcements ?? 0) : 0
      for (let announced = 0; announced < announcements; announced += 1) response.writeProcessing()
      const { status, headers = {}, text } = await issuer.#answer(new URL(request.url ?? '/', issuer.url), body)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
    })
    return issuer
  }

  async rotateKeys(): Promise<void> {
    this.keys = await newKeys()
  }

  /** The correct claims of an ID token for the sign-in. */
  claimsFor(nonce: string): Claims {
    const now = Math.floor(Date.now() / 1000)
    const standard = { iss: this.url, aud: 'platform', sub: 'subject-1', iat: now, exp: now + 300, nonce }
    return { ...standard, preferred_username: 'jane', name: 'Jane Doe', ...this.script.claims }
  }

  sign(claims: Claims, header: Claims = {}, key: SigningKey = this.keys.privateKey): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: this.keys.jwk.kid ?? '', ...header }).sign(key)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    await rm(this.#directory, { recursive: true, force: true })
  }

  async #answer(url: URL, body: string): Promise<Answer> {
    this.requests.push(url.pathname)
    if (url.pathname === this.#keysAt) return this.#keys()
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json(200, this.#metadata())
      case '/authorize':
        return this.#authorize(url.searchParams)
      case '/token':
        return this.script.keysAtTokenEndpoint === true && body === ''
          ? this.#keys()
          : this.#token(new URLSearchParams(body))
      case '/userinfo':
        return json(this.script.userInfoStatus ?? 200, { sub: 'subject-1', ...this.script.userInfo })
      case '/graph/v1.0/me/transitiveMemberOf/microsoft.graph.group':
        return this.#groups(Number(url.searchParams.get('page') ?? '0'))
      default:
        return json(404, {})
    }
  }

  get #keysAt(): string {
    return this.script.keysAt ?? '/keys'
  }

  #keys(): Answer {
    return json(200, this.script.jwks ?? { keys: [this.keys.jwk] })
  }

  #groups(page: number): Answer {
    const { graph = [] } = this.script
    if (typeof graph === 'number') return json(graph, {})
    const next = {
      '@odata.nextLink': `${this.url}/graph/v1.0/me/transitiveMemberOf/microsoft.graph.group?page=${page + 1}`,
    }
    const value = (graph[page] ?? []).map((id) => ({ id }))
    return json(200, { value, ...(page + 1 < graph.length ? next : {}) })
  }

  #metadata(): Claims {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}${this.script.keysAtTokenEndpoint === true ? '/token' : this.#keysAt}`,
      userinfo_endpoint: `${this.url}/userinfo`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...this.script.metadata,
    }
  }

  #authorize(query: URLSearchParams): Answer {
    const text = (name: string) => query.get(name) ?? ''
    const code = `code-${this.codes.size + 1}-${text('state').slice(0, 8)}`
    const [redirectUri, state, nonce] = [text('redirect_uri'), text('state'), text('nonce')]
    this.codes.set(code, { redirectUri, state, nonce, challenge: text('code_challenge'), scope: text('scope') })
    const right = new URLSearchParams({ code, state, iss: this.url })
    const location = `${redirectUri}?${this.script.answer?.(right) ?? right}`
    return { status: 302, headers: { location }, text: '' }
  }

  async #token(form: URLSearchParams): Promise<Answer> {
    if (this.script.tokenAnswer !== undefined) return json(this.script.tokenAnswer.status, this.script.tokenAnswer.body)
    if (form.get('grant_type') === 'refresh_token') return this.#refreshed(form.get('refresh_token') ?? '')
    const asked = this.codes.get(form.get('code') ?? '')
    this.codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (asked === undefined || asked.challenge !== challenge || asked.redirectUri !== form.get('redirect_uri')) {
      return json(400, { error: 'invalid_grant' })
    }
    const right = this.claimsFor(asked.nonce)
    const idToken = await (this.script.idToken?.(right, this) ?? this.sign(right))
    return json(200, { ...this.#tokens(), id_token: idToken })
  }

  /** Each refresh token is valid once. */
  async #refreshed(shown: string): Promise<Answer> {
    await this.script.heldBack?.(shown)
    if (!this.refreshTokens.delete(shown)) return json(400, { error: 'invalid_grant' })
    this.refreshes += 1
    const { nonce: _, ...claims } = this.claimsFor('')
    const { refreshedIdToken = await this.sign(claims), refreshesWithoutIdToken } = this.script
    return json(200, { ...this.#tokens(), ...(refreshesWithoutIdToken === true ? {} : { id_token: refreshedIdToken }) })
  }

  #tokens() {
    const tokens = { access_token: accessToken, token_type: 'Bearer', expires_in: 300 }
    if (this.script.givesNoRefreshToken === true) return tokens
    const given =
      this.refreshTokens.size + this.refreshes === 0 ? refreshToken : broughtValue(`refresh-${randomUUID()}`)
    this.refreshTokens.add(given)
    return { ...tokens, refresh_token: this.script.refreshToken ?? given }
  }
}

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly text: string
}

function json(status: number, value: unknown): Answer {
  return { status, text: JSON.stringify(value) }
}

let made = 0

async function newKeys() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  made += 1
  const jwk = { ...(await exportJWK(publicKey)), kid: `key-${made}`, alg: 'RS256', use: 'sig' }
  return { privateKey, jwk }
}

async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
