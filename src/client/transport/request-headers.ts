import type { TransportRequest } from './contract.ts'

export type Headers = Readonly<Record<string, string | string[]>>

const ascii = /^[\t\x20-\x7e]*$/

/** The headers of a request, besides those that the protocol adds. */
export function requestHeaders(
  { accept = 'application/json', contentType, traceparent }: TransportRequest,
  userAgent: string,
  credentials: Headers,
): Headers {
  const type = contentType === undefined ? {} : { 'content-type': contentType }
  const trace = traceparent === undefined ? {} : { traceparent }
  return inBytes({ accept, 'user-agent': userAgent, ...type, ...trace, ...credentials })
}

/** Values are sent as UTF-8, as kubectl does. HTTP libraries expect one character per byte. */
function inBytes(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.map(bytesOf) : bytesOf(value)]),
  )
}

function bytesOf(value: string): string {
  return ascii.test(value) ? value : Buffer.from(value, 'utf8').toString('latin1')
}
