import { connect } from 'node:http2'
import { type Agent, request } from 'undici'
import { patientAgent } from '../support/network/patient-agent.ts'
import type { TestPlatform } from './platform.ts'

export interface Reply {
  readonly status: number
  /** Every Set-Cookie, joined by commas. */
  readonly cookie: string
  readonly text: string
}

export type Headers = Readonly<Record<string, string>>
export type Send = (method: string, path: string, headers: Headers, body?: unknown) => Promise<Reply>

/** The address of the server. */
export type Served = Pick<TestPlatform['server'], 'url' | 'authority'>

export function overHttp1(served: () => Served): Send {
  let agent: Agent | undefined
  return async (method, path, headers, body) => {
    const { url, authority } = served()
    agent ??= patientAgent({ ca: authority })
    const answer = await request(`${url}${path}`, {
      method: method as 'GET',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const cookie = [answer.headers['set-cookie'] ?? []].flat().join()
    return { status: answer.statusCode, cookie, text: await answer.body.text() }
  }
}

export function overHttp2(served: () => Served): Send {
  return (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const { url, authority } = served()
      const session = connect(url, { ca: authority }).on('error', reject)
      const stream = session.request({
        ':method': method,
        ':path': path,
        'content-type': 'application/json',
        ...headers,
      })
      let text = ''
      let reply = { status: 0, cookie: '' }
      stream.setEncoding('utf8').on('error', reject)
      stream.on('response', (head) => {
        reply = { status: head[':status'] ?? 0, cookie: [head['set-cookie'] ?? []].flat().join() }
      })
      stream.on('data', (chunk: string) => {
        text += chunk
      })
      stream.on('end', () => {
        session.close()
        resolve({ ...reply, text })
      })
      stream.end(body === undefined ? undefined : JSON.stringify(body))
    })
}

export const sessionPath = '/auth/session'
const cookieName = '__Host-tenant-session'

/** A user who is signed in. */
export interface SignedIn {
  /** The half that the browser keeps. */
  readonly cookie: string
  /** The half that the page keeps. */
  readonly counterpart: string
  /** Both halves, as the page sends them. */
  readonly headers: Headers
  /** Name of the key of type `Login`. */
  readonly keyName: string
}

export async function signIn(send: Send, accessKey: string, headers: Headers = {}): Promise<SignedIn> {
  const reply = await send('POST', sessionPath, headers, { accessKey })
  if (reply.status !== 200) throw new Error(`not signed in: ${reply.status} ${reply.text}`)
  const { counterpart, keyName } = JSON.parse(reply.text)
  const cookie = handleIn(reply)
  return { cookie, counterpart, keyName, headers: halves(cookie, counterpart) }
}

export function handleIn({ cookie }: Reply): string {
  return new RegExp(`${cookieName}=([^;]*)`).exec(cookie)?.[1] ?? ''
}

export function halves(handle: string, counterpart: string): Headers {
  return { cookie: `${cookieName}=${handle}`, 'tenant-session': counterpart }
}
