import { http2Client, tlsClient } from '../../server/raw-client.ts'

export const protocols = ['HTTP/1.1', 'HTTP/2'] as const
export type Protocol = (typeof protocols)[number]

export interface RawAsked {
  readonly method?: string
  /** Path and query, sent unchanged. One character is one byte. */
  readonly url: string
  readonly token?: string
  /** A name may occur several times. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** One character is one byte. */
  readonly body?: string
}

export interface RawAnswer {
  readonly status: number
  readonly text: string
}

/** Sends a request on a separate connection, without any normalization. */
export function rawAsk(protocol: Protocol, port: number, asked: RawAsked): Promise<RawAnswer> {
  return protocol === 'HTTP/2' ? askHttp2(port, asked) : askHttp1(port, asked)
}

async function askHttp1(
  port: number,
  { method = 'GET', url, token = 'admin-token', headers = [], body = '' }: RawAsked,
): Promise<RawAnswer> {
  const client = await tlsClient(port)
  const own = [
    ['Host', 'platform'],
    ['Authorization', `Bearer ${token}`],
    ['Content-Length', String(body.length)],
    ...(headers.some(([name]) => name.toLowerCase() === 'connection') ? [] : [['Connection', 'close']]),
  ]
  const lines = [...own, ...headers].map(([name, value]) => `${name}: ${value}\r\n`)
  client.send(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  await client.closed
  const [head = '', ...rest] = client.received.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), text: rest.join('\r\n\r\n') }
}

function askHttp2(
  port: number,
  { method = 'GET', url, token = 'admin-token', headers = [], body = '' }: RawAsked,
): Promise<RawAnswer> {
  const session = http2Client(port)
  const named: Record<string, string[]> = {}
  for (const [name, value] of headers) named[name.toLowerCase()] = [...(named[name.toLowerCase()] ?? []), value]
  const single = Object.entries(named).map(([name, values]) => [name, values.length === 1 ? values[0] : values])
  return new Promise<RawAnswer>((resolve, reject) => {
    const head = { ':method': method, ':path': url, authorization: `Bearer ${token}` }
    const stream = session.request({ ...head, ...Object.fromEntries(single) }, { endStream: body === '' })
    let status = 0
    let text = ''
    stream.on('response', (answer) => {
      status = Number(answer[':status'])
    })
    stream.on('error', reject).on('data', (chunk) => {
      text += chunk
    })
    stream.on('end', () => resolve({ status, text }))
    if (body !== '') stream.end(Buffer.from(body, 'latin1'))
  }).finally(() => session.close())
}
