import { call } from './call.ts'

export interface JsonAnswer {
  readonly status: number
  readonly body: { readonly message?: string } & Record<string, unknown>
}

const patchTypes: Readonly<Record<string, string>> = {
  PATCH: 'application/merge-patch+json',
  APPLY: 'application/apply-patch+yaml',
}

/** Sends a request to a test server as its administrator. `APPLY` is a server-side apply. */
export async function sendJson(port: number, method: string, path: string, body?: object): Promise<JsonAnswer> {
  const headers = {
    Authorization: 'Bearer admin-token',
    'Content-Type': patchTypes[method] ?? 'application/json',
  }
  const request = { method: method === 'APPLY' ? 'PATCH' : method, path, headers, body: body && JSON.stringify(body) }
  const { status, text } = await call(port, request)
  return { status, body: JSON.parse(await text) }
}
