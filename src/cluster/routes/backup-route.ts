import { backupPath } from '../../api/backup-path.ts'
import { serviceUnavailable, tooManyRequests } from '../../api/error.ts'
import { sendState } from '../../backup/records/send-state.ts'
import type { Log } from '../../base/log.ts'
import { packageVersion } from '../../base/package-version.ts'
import type { Engine } from '../../registry/context.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { Exchange } from '../../server/exchange.ts'
import type { Output, Response } from '../../server/http.ts'
import { revocationOf } from '../../server/onward/passed-exchange.ts'

/** Each holds a snapshot of the store, which keeps pages from being reused. */
const mostAtATime = 2
const longestMs = 60 * 60_000
const retryAfterSeconds = 30

const headers = ['Cache-Control', 'no-store', 'Content-Type', 'application/octet-stream']

/**
 * Everything in the store at one revision, including sealed parts: for administrators with their own credential. It is
 * not encrypted here: the client does that, with a key that the server never has.
 */
export function backupRoute(engine: Engine, log: Log): ExtraRoute {
  let sending = 0
  const count = (change: 1 | -1) => {
    sending += change
  }
  return ({ info, onward }) => {
    if (onward !== undefined || info.form !== 'path' || info.path !== backupPath || info.verb !== 'get')
      return undefined
    return (exchange) => {
      if (sending >= mostAtATime)
        throw tooManyRequests(`${mostAtATime} backups are being made already: try again later`, retryAfterSeconds)
      return stateResponse(engine, exchange, log, count)
    }
  }
}

function uidOfCluster(engine: Engine): string {
  const uid = engine.find('', 'Namespace')?.cache.get({ namespace: '', name: 'kube-system' })?.object.metadata.uid
  if (uid === undefined) throw serviceUnavailable('the cluster is not ready: it has no namespace kube-system yet')
  return uid
}

function stateResponse(engine: Engine, exchange: Exchange, log: Log, count: (change: 1 | -1) => void): Response {
  const clusterUid = uidOfCluster(engine)
  const about = { program: packageVersion(), clusterUid }
  // The backup ends with its client and with the access key that requested it.
  const signal = AbortSignal.any([exchange.request.signal, ...revocationOf(exchange), AbortSignal.timeout(longestMs)])
  const start = (output: Output) => {
    const take = (bytes: Buffer) => (output.write(bytes) ? undefined : takenBy(output, signal))
    count(1)
    sendState(engine.store, about, { take, signal })
      .then(() => output.end())
      .catch((error: unknown) => {
        if (!signal.aborted) log.error('a backup could not be read from the store', { error })
        output.destroy()
      })
      .finally(() => count(-1))
  }
  return { status: 200, headers, body: { form: 'stream', start } }
}

/** If a client takes nothing more, its connection is closed. */
async function takenBy(output: Output, signal: AbortSignal): Promise<void> {
  await output.drained()
  signal.throwIfAborted()
  if (output.isGone) throw new Error('the client that receives the backup has disconnected')
}
