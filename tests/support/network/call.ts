import type { OutgoingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'

export interface Call {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** How many lines of a watch to read. */
  readonly lines?: number | undefined
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
  /** The whole text, or as many lines as requested. */
  readonly text: Promise<string>
}

/** To open a connection takes three times as much processor time as a request. */
const openConnections = new Agent({ keepAlive: true })

/** Sends one recorded request; resolves with the head of the answer. */
export function call(
  port: number,
  { method, path, headers, body, lines }: Call,
  agent: Agent = openConnections,
): Promise<RawAnswer> {
  const sent: OutgoingHttpHeaders = { 'User-Agent': 'probe/1.0', Accept: 'application/json' }
  if (body !== undefined) {
    sent['Content-Type'] = 'application/json'
    sent['Content-Length'] = Buffer.byteLength(body)
  }
  Object.assign(sent, headers)
  const options = { host: '127.0.0.1', port, path, method, headers: sent, rejectUnauthorized: false }
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...options, agent }, (response) => {
      const text = new Promise<string>((finish) => {
        let read = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          read += chunk
          if (lines === undefined || read.split('\n').length <= lines) return
          finish(read)
          response.destroy()
        })
        response.on('end', () => finish(read))
        response.on('error', () => finish(read))
      })
      resolve({ status: response.statusCode ?? 0, headers: response.headersDistinct, text })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** The recorder sent bodies with a blank after each comma and colon, and some answers quote them. */
export function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${pythonJson(member)}`)
  return `{${members.join(', ')}}`
}

/** One JSON value for each non-empty line. */
export function parsedLines<T>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
}
