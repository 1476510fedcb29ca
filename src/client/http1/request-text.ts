import { ConnectionError } from '../connection/connection-error.ts'
import { fieldName } from './field-name.ts'

export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>

export interface HttpRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Of the server, with its port. */
  readonly host: string
  readonly headers: RequestHeaders
  readonly body?: string
}

const plainPath = /^\/[\x21-\x7e]*$/
/** Goes over the line as UTF-8, where no character of these becomes the end of a line. */
const plainValue = /^[\t\x20-\x7e\x80-\uffff]*$/

/** A request as it goes over the line. Throws ConnectionError for what would become more than one line of it. */
export function requestText({ method, path, host, headers, body }: HttpRequest): string {
  if (!plainPath.test(path)) throw unfit('the path of a request')
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`
  for (const name in headers) {
    if (!fieldName.test(name)) throw unfit('the name of a header of a request')
    const value = headers[name] ?? []
    for (const each of typeof value === 'string' ? [value] : value) {
      if (!plainValue.test(each)) throw unfit(`the header ${name} of a request`)
      head += `${name}: ${each}\r\n`
    }
  }
  if (body === undefined) return method === 'GET' ? `${head}\r\n` : `${head}content-length: 0\r\n\r\n`
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** What it is instead may be a secret. */
function unfit(what: string): ConnectionError {
  return new ConnectionError(`${what} has characters that cannot be sent`, { nothingSent: true })
}
