import type { ClientRequest } from 'node:http'
import { ConnectionError } from './connection-error.ts'

/** Heads of 1xx that may come before an answer. Nothing is done with them. */
export const mostAnnouncements = 8

/** A server that announces without an end is given up: reading that takes the time of all others. */
export function limitAnnouncements(outgoing: ClientRequest, origin: string): void {
  let announced = 0
  outgoing.on('information', () => {
    announced += 1
    if (announced <= mostAnnouncements) return
    outgoing.destroy(new ConnectionError(`${origin} announces an answer again and again`))
  })
}
