import { request } from 'node:http'
import type { Socket } from 'node:net'
import { addressOf } from './address.ts'
import { connectionFailure } from './connection-failure.ts'

/** A connection through an HTTP proxy to the server. Only the server's address has been sent. */
export function openTunnel(target: URL, proxy: URL, timeoutMs: number): Promise<Socket> {
  const path = `${target.hostname}:${addressOf(target).port}`
  const fail = (reason: unknown) =>
    connectionFailure(`${target.origin} through the proxy ${proxy.host}`, reason, { nothingSent: true })
  const patience = AbortSignal.timeout(timeoutMs)
  return new Promise((resolve, reject) => {
    const asking = request({
      ...addressOf(proxy),
      method: 'CONNECT',
      path,
      headers: { host: path, ...credentials(proxy) },
      agent: false,
      signal: patience,
    })
    asking.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(fail(`the proxy answered ${statusCode}`))
    })
    asking.once('response', ({ statusCode }) => {
      asking.destroy()
      reject(fail(`the proxy answered ${statusCode}`))
    })
    asking.once('error', (error) => reject(fail(patience.aborted ? `no answer within ${timeoutMs / 1000} s` : error)))
    asking.end()
  })
}

function credentials({ username, password }: URL): Record<string, string> {
  if (username === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}
