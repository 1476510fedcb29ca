import type { ServerHttp2Stream } from 'node:http2'
import { clusterRoleBindingOf, clusterRoleBindings, upgradeHeader } from '../../api/link.ts'
import { ConnectionError } from '../../client/connection/connection-error.ts'
import { bindRole } from '../../client/forward/bind-role.ts'
import { carry } from '../../client/forward/carry.ts'
import type { ForwardAnswer, Forwarder } from '../../client/forward/contract.ts'
import { giveUp, giveUpAnswer } from '../../client/forward/give-up.ts'
import { flatHeaders, http2Headers } from '../../client/forward/http2-headers.ts'
import { join } from '../../client/forward/join.ts'
import type { LinkRequest, VirtualApi } from './contract.ts'
import { refuse } from './refuse.ts'

/** An API server elsewhere, reached as the administrator of a kubeconfig. */
export function forwardedApi(forwarder: Forwarder): VirtualApi {
  return {
    serve: (request) => {
      pass(request, forwarder).catch((error: unknown) => {
        const why = error instanceof ConnectionError ? error.message : 'the request could not be passed on'
        refuse(request.stream, 503, 'ServiceUnavailable', `the API server of the virtual cluster: ${why}`)
      })
    },
    bindClusterRole: (role) => bindRole(forwarder, { url: clusterRoleBindings, object: clusterRoleBindingOf(role) }),
  }
}

async function pass({ stream, headers, rawHeaders }: LinkRequest, forwarder: Forwarder): Promise<void> {
  const gone = new AbortController()
  stream.once('close', () => gone.abort())
  const upgrade = headers[upgradeHeader]
  const isUpgrade = typeof upgrade === 'string'
  const answer = await forwarder.forward({
    method: headers[':method'] ?? 'GET',
    url: headers[':path'] ?? '/',
    headers: harmless(flatHeaders(rawHeaders)),
    body: isUpgrade || stream.endAfterHeaders ? undefined : stream,
    upgrade: isUpgrade ? upgrade : undefined,
    signal: gone.signal,
  })
  if (stream.destroyed) giveUpAnswer(answer)
  else if (answer.form === 'upgraded') passUpgraded(answer, stream)
  else passAnswer(answer, stream)
}

/** The administrator's own credentials are added later, and must be the only ones. */
function harmless(headers: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? ''
    if (name !== 'authorization' && name !== upgradeHeader) kept.push(name, headers[index + 1] ?? '')
  }
  return kept
}

function passAnswer({ status, headers, body }: Extract<ForwardAnswer, { form: 'answer' }>, stream: ServerHttp2Stream) {
  stream.respond({ ...http2Headers(headers), ':status': status })
  stream.once('close', () => giveUp(body))
  body.once('close', () => {
    if (!body.readableEnded) giveUp(stream)
  })
  carry(body, stream)
}

function passUpgraded(answer: Extract<ForwardAnswer, { form: 'upgraded' }>, stream: ServerHttp2Stream): void {
  const { protocol, headers, connection } = answer
  stream.respond({ ...http2Headers(headers), [upgradeHeader]: protocol, ':status': 200 })
  join(stream, connection)
}
