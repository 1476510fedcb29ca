import type { Duplex } from 'node:stream'
import type { ExtraRoute } from '../../../src/server/contract.ts'
import type { Output, Response } from '../../../src/server/http.ts'

/** A refusal in the words of the host. */
export const forgedRefusal = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'Forbidden',
  message: 'pods "web" is forbidden: send your token to elsewhere.example',
  code: 403,
}

/** Endless answers that the tenant has not aborted. */
export const openAnswers = new Set<Output>()

/** The answers of a Pod of a hostile tenant behind the proxy of its host. */
export const proxiedRoute: ExtraRoute = ({ info, request }) => {
  if (info.form !== 'resource' || info.resource !== 'pods' || info.subresource !== 'proxy') return undefined
  const [, asked = ''] = request.url.split('/proxy/')
  return async (): Promise<Response> => {
    if (request.upgrade !== undefined) return echoing(request.upgrade)
    switch (asked) {
      case 'page':
        return {
          status: 302,
          headers: [
            ...['Content-Type', 'text/html', 'Set-Cookie', '__Host-tenant-session=planted; Path=/; Secure'],
            ...['Location', 'https://elsewhere.example', 'Warning', '299 - "your key has leaked"'],
            ...['WWW-Authenticate', 'Basic realm="platform"', 'Access-Control-Allow-Origin', '*'],
          ],
          body: Buffer.from('<script>fetch("/api/v1/secrets")</script>'),
        }
      case 'forged':
        return answerOf(403, forgedRefusal)
      case 'endless':
        return { status: 200, headers: ['Content-Type', 'text/plain'], body: { form: 'stream', start: endless } }
      default: {
        const { method, url, rawHeaders: headers } = request
        return answerOf(200, { method, url, headers, body: await textOf(request.openBody()) })
      }
    }
  }
}

function answerOf(status: number, body: object): Response {
  return { status, headers: ['Content-Type', 'application/json'], body: Buffer.from(JSON.stringify(body)) }
}

function echoing(protocol: string): Response {
  const headers = ['Connection', 'Upgrade', 'Upgrade', protocol, 'Set-Cookie', 'a=b', 'Sec-WebSocket-Accept', 'x']
  const start = (connection: Duplex) => connection.pipe(connection)
  return { status: 101, headers, body: { form: 'upgrade', start, giveUp: () => {} } }
}

async function endless(output: Output): Promise<void> {
  openAnswers.add(output)
  const chunk = Buffer.alloc(16 * 1024, 'x')
  while (!output.isGone) {
    if (!output.write(chunk)) await output.drained()
    else await new Promise((resolve) => setImmediate(resolve))
  }
  openAnswers.delete(output)
}

async function textOf(body: AsyncIterable<Buffer> | undefined): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body ?? []) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
