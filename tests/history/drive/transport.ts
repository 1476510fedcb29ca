/** One connection at a time to one server, over whatever protocol. Nothing is sent twice. */
export interface Transport {
  ask(request: Request): Promise<Reply>
  /** Resolves when the stream has ended, however. */
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
  /** Whole lines only. */
  readonly onLine: (line: string) => void
}

export type Reply =
  | { readonly is: 'answer'; readonly status: number; readonly text: string }
  /** The server cannot have heard of it. */
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

/** Cuts text that comes in pieces into lines, and holds back what has no end yet. */
export function lineReader(onLine: (line: string) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') onLine(line)
  }
}
