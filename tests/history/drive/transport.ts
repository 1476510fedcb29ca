/** One connection at a time to one server, over either protocol. Nothing is sent twice. */
export interface Transport {
  ask(request: Request): Promise<Reply>
  /** Resolves when the stream has ended, for any reason. */
  stream(request: StreamRequest): Promise<StreamEnd>
  close(): void
}

export interface Endpoint {
  readonly name: string
  readonly port: number
  /** PEM. */
  readonly authority: string
  readonly token: string
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly contentType?: string
}

export interface StreamRequest {
  readonly path: string
  readonly signal: AbortSignal
  /** Called with whole lines only. */
  readonly onLine: (line: string) => void
}

export type Reply =
  | { readonly is: 'answer'; readonly status: number; readonly text: string }
  /** The server cannot have received it. */
  | { readonly is: 'not sent' }
  | { readonly is: 'lost' }

export type StreamEnd =
  | { readonly is: 'ended' }
  | { readonly is: 'refused'; readonly status: number; readonly text: string }

/** Longer than most pauses of a round and shorter than the round. */
export const patienceMs = 1_000

export function headersOf({ token }: Endpoint, request: Request): Record<string, string> {
  const headers: Record<string, string> = { authorization: `Bearer ${token}`, accept: 'application/json' }
  if (request.body !== undefined) headers['content-type'] = request.contentType ?? 'application/json'
  return headers
}

/** Splits text that arrives in pieces into lines, and holds back an incomplete one. */
export function lineReader(onLine: (line: string) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') onLine(line)
  }
}
