import { badRequest } from '../../api/error.ts'
import { ConnectionError } from '../../client/connection/connection-error.ts'
import type { ForwardAnswer, ForwardRequest } from '../../client/forward/contract.ts'
import { giveUpAnswer } from '../../client/forward/give-up.ts'
import type { Exchange } from '../exchange.ts'
import { isLongRunning } from '../fairness/long-running.ts'

/** Only long-running requests are forwarded as they arrive. */
export function bodyToPass(exchange: Exchange): ForwardRequest['body'] {
  if (exchange.request.upgrade !== undefined) return undefined
  if (isLongRunning(exchange)) return exchange.request.openBody()
  return exchange.body.length === 0 ? undefined : exchange.body
}

/** In lower case. */
const knownProtocols: ReadonlySet<string> = new Set(['spdy/3.1', 'websocket'])

/**
 * The protocols that Kubernetes upgrades forwarded requests to. In others, such as HTTP/2 (`h2c`), a caller could send
 * further requests on a connection that is open in the name of this server.
 */
export function requireKnownUpgrade({ request: { upgrade } }: Exchange): void {
  if (upgrade === undefined || namesIn(upgrade).every((name) => knownProtocols.has(name))) return
  throw badRequest('a connection can be upgraded only to SPDY/3.1 or a WebSocket')
}

/** The revocation of the key that the request was sent with; impersonation does not change it. */
export function revocationOf({ user }: Exchange): readonly AbortSignal[] {
  return user.credential === undefined ? [] : [user.credential.revoked]
}

/** Gives up an answer that the client cannot receive, such as an upgrade that it did not ask for. */
export function requirePlausible(answer: ForwardAnswer, { upgrade }: { readonly upgrade?: string | undefined }): void {
  const isPlausible =
    answer.form === 'upgraded' ? isAmong(answer.protocol, upgrade) : answer.status >= 200 && answer.status <= 599
  if (isPlausible) return
  giveUpAnswer(answer)
  throw new ConnectionError('its answer is not that of an API server')
}

function isAmong(protocol: string, wanted = ''): boolean {
  return protocol !== '' && namesIn(wanted).includes(protocol.toLowerCase())
}

/** Protocols in the client's order of preference. */
function namesIn(upgrade: string): readonly string[] {
  return upgrade.split(',').map((each) => each.trim().toLowerCase())
}
