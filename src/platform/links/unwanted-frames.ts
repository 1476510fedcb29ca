import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'

/**
 * Reports frames that a tenant has no reason to send. Node keeps every origin that a peer announces for as long as the
 * session lives, so a tenant could fill the memory of the platform with them. Informational answers (1xx) count against
 * no window and are unlimited: on the control stream, where none is needed, a tenant could keep the event loop busy
 * with them.
 */
export function onUnwantedFrame(
  session: ClientHttp2Session,
  control: ClientHttp2Stream,
  take: (what: string) => void,
): void {
  session.once('origin', () => take('tells of origins'))
  session.once('altsvc', () => take('tells of other servers'))
  control.once('headers', () => take('sends hints'))
}
