import type { ClientRequest } from 'node:http'
import { ConnectionError } from './connection-error.ts'

/** Limit of 1xx heads before an answer. They are ignored. */
export const mostAnnouncements = 8

/** Gives up a server that sends them without end: reading them would take time from all others. */
export function limitAnnouncements(outgoing: ClientRequest, origin: string): void {
  let announced = 0
  outgoing.on('information', () => {
    announced += 1
    if (announced <= mostAnnouncements) return
    outgoing.destroy(new ConnectionError(`${origin} sends too many informational answers (1xx)`))
  })
}
