/** The text of HTTP/1.1 requests, as an attacker writes them. */
export interface Sender {
  readonly token: string
}

export function head(method: string, path: string, { token }: Sender, more = ''): string {
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`
}

export function get(path: string, sender: Sender, more = ''): string {
  return head('GET', path, sender, more)
}

/** A request with a Content-Length. */
export function measured(method: string, path: string, sender: Sender, body: string): string {
  const more = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return head(method, path, sender, more) + body
}

export function chunked(method: string, path: string, sender: Sender, body: string, chunkLength = 16): string {
  const chunks = body.match(new RegExp(`.{1,${chunkLength}}`, 'gs')) ?? []
  const framed = chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`)
  const more = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n'
  return `${head(method, path, sender, more)}${framed.join('')}0\r\n\r\n`
}

/** The body of a request that creates another object each time, so that executions can be counted. */
export function counted(prefix: string): string {
  return JSON.stringify({ metadata: { generateName: prefix } })
}

export function named(name: string): string {
  return JSON.stringify({ metadata: { name } })
}
