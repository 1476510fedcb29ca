import type { ClientHttp2Session } from 'node:http2'

/**
 * What servers on the web tell their clients. Node keeps every origin that it is told for as long as the session lives, however many
 * there are, so that a tenant could fill the memory of the platform with them.
 */
export function onUnwantedFrame(session: ClientHttp2Session, take: (what: string) => void): void {
  session.on('origin', () => take('tells of origins'))
  session.on('altsvc', () => take('tells of other servers'))
}
