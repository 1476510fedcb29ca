import { createHash } from 'node:crypto'
import { type Agent, request } from 'undici'

export interface Visited {
  readonly status: number
  readonly location: string
  readonly text: string
  readonly setCookie: readonly string[]
}

export const verifier = 'v'.repeat(43)
export const challenge = challengeOf(verifier)

export function challengeOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** Where the page leads that asks whether a command may be signed in; empty if the page does not ask. */
export function commandAddress({ text }: Pick<Visited, 'text'>): string {
  return (/href="(http:\/\/127\.0\.0\.1:[^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&#38;', '&')
}

/** The parts of a browser that a sign-in needs: it keeps the cookies of one host, and follows no redirects. */
export class TestBrowser {
  readonly cookies = new Map<string, string>()
  readonly #agent: Agent
  readonly #origin: string

  /** Browsers may share connections. */
  constructor(origin: string, agent: Agent) {
    this.#origin = origin
    this.#agent = agent
  }

  async visit(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Visited> {
    return this.#send('GET', new URL(address, this.#origin), headers)
  }

  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Visited> {
    const sent = {
      'content-type': 'application/json',
      origin: this.#origin,
      'sec-fetch-site': 'same-origin',
      ...headers,
    }
    return this.#send('POST', new URL(path, this.#origin), sent, JSON.stringify(body))
  }

  /** Sends a form of another site. */
  form(path: string, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>) {
    return this.#send('POST', new URL(path, this.#origin), headers, new URLSearchParams(fields).toString())
  }

  /** Sends the form of a page, with the user's input. */
  submit(
    { text }: Pick<Visited, 'text'>,
    typed: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<Visited> {
    const action = /<form method="post" action="([^"]+)"/.exec(text)?.[1] ?? '/no-form-on-this-page'
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const fields = hidden.map(([, name = '', value = '']): [string, string] => [name, value])
    const body = new URLSearchParams([...fields, ...Object.entries(typed)]).toString()
    const sent = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null', ...headers }
    return this.#send('POST', new URL(action, this.#origin), sent, body)
  }

  /** To the provider and back: the platform's answer to the callback. */
  async signIn(path: string): Promise<Visited> {
    const sent = await this.visit(path, { 'sec-fetch-site': 'same-origin' })
    if (sent.status !== 302) return sent
    const back = await this.visit(sent.location)
    return this.visit(back.location)
  }

  async #send(method: 'GET' | 'POST', url: URL, headers: Readonly<Record<string, string>>, body?: string) {
    const isPlatform = url.origin === this.#origin
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await request(url, {
      method,
      dispatcher: this.#agent,
      headers: { ...(isPlatform && cookie !== '' ? { cookie } : {}), ...headers },
      body: body ?? null,
    })
    const setCookie = [answer.headers['set-cookie'] ?? []].flat()
    if (isPlatform) for (const each of setCookie) this.#keep(each)
    const location = [answer.headers.location ?? ''].flat()[0] ?? ''
    return { status: answer.statusCode, location, text: await answer.body.text(), setCookie }
  }

  #keep(setCookie: string): void {
    const [pair = ''] = setCookie.split(';')
    const equals = pair.indexOf('=')
    const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)]
    if (value === '') this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}
