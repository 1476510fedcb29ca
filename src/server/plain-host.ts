import { headerOf, type Request } from './http.ts'

const plainHost = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/** What the client called this server, port included; empty when it said nothing. */
export function hostOf(request: Request): string {
  return headerOf(request, ':authority') ?? headerOf(request, 'host') ?? ''
}

/** Whether it can be part of an address as it is. */
export function isPlainHost(host: string): boolean {
  return plainHost.test(host)
}
