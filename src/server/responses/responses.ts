import type { Response } from '../http.ts'

const privately = ['Cache-Control', 'no-cache, private'] as const
const protobufType = 'application/vnd.kubernetes.protobuf'

export const jsonHeaders: readonly string[] = [...privately, 'Content-Type', 'application/json']
export const yamlHeaders: readonly string[] = [...privately, 'Content-Type', 'application/yaml']
export const protobufHeaders: readonly string[] = [...privately, 'Content-Type', protobufType]
export const protobufWatchHeaders: readonly string[] = [...privately, 'Content-Type', `${protobufType};stream=watch`]
const textHeaders: readonly string[] = [
  ...privately,
  'Content-Type',
  'text/plain; charset=utf-8',
  'X-Content-Type-Options',
  'nosniff',
]

export function jsonResponse(status: number, value: unknown): Response {
  return { status, headers: jsonHeaders, body: Buffer.from(`${JSON.stringify(value)}\n`) }
}

export function protobufResponse(status: number, bytes: Uint8Array): Response {
  return { status, headers: protobufHeaders, body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) }
}

export function textResponse(status: number, text: string): Response {
  return { status, headers: textHeaders, body: Buffer.from(text) }
}

/** The answer of kube-apiserver for every path that it does not serve. It is not a Status. */
export function pageNotFound(): Response {
  return textResponse(404, '404 page not found\n')
}

export function emptyResponse(status: number, headers: readonly string[]): Response {
  return { status, headers: [...privately, ...headers], body: Buffer.alloc(0) }
}

export function withHeaders(response: Response, headers: readonly string[]): Response {
  return { ...response, headers: [...response.headers, ...headers] }
}
