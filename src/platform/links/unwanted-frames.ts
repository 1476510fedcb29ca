import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'

/**
 * What servers on the web tell their clients. Node keeps every origin that it is told for as long as the session lives, however many
 * there are, so that a tenant could fill the memory of the platform with them. Hints (1xx) count against no window, and there may be
 * any number of them before an answer: on the control stream, which none is needed on, a tenant could keep the event loop busy with them.
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
