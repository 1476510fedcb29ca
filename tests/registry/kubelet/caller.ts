import { call } from '../../support/network/call.ts'

export const core = '/api/v1'
export const place = `${core}/namespaces/default`
export const containers = [{ name: 'c', image: 'nginx' }]

export interface Sent {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> & { readonly message?: string }
}

/** Calls the server of the suite as one of its users. */
export interface Caller {
  send(user: string, method: string, path: string, body?: object): Promise<Sent>
  /** The status, and the reason of a refusal. */
  said(user: string, method: string, path: string, body?: object): Promise<string>
}

/** The address is read with each call: the server does not exist yet when tests are declared. */
export function callerOf(url: () => string): Caller {
  const send = async (user: string, method: string, path: string, body?: object): Promise<Sent> => {
    const headers = {
      Authorization: `Bearer ${user}-token`,
      'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    }
    const sent = { method, path, headers, body: body && JSON.stringify(body) }
    const { status, text } = await call(Number(new URL(url()).port), sent)
    return { status, body: JSON.parse(await text) }
  }
  return {
    send,
    said: async (user, method, path, body) => {
      const { status, body: answer } = await send(user, method, path, body)
      return status < 400 ? `${status}` : `${status} ${answer.message}`
    },
  }
}

export function uidOf({ body }: Sent): string {
  const { metadata } = Object(body)
  return metadata.uid
}
