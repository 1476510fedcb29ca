import { headerOf, type Request } from '../http.ts'

const plainHost = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/** The host that the client addressed, including the port; empty if it sent none. */
export function hostOf(request: Request): string {
  return headerOf(request, ':authority') ?? headerOf(request, 'host') ?? ''
}

/** Whether the host can be used in a URL unchanged. */
export function isPlainHost(host: string): boolean {
  return plainHost.test(host)
}
