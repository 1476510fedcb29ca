import { timingSafeEqual } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'

export interface CodeListener {
  readonly port: number
  /** Rejects if no code arrives in time, or the listener is closed. */
  readonly code: Promise<string>
  close(): void
}

const loopback = '127.0.0.1'
const codeForm = /^[\w-]{43}$/
const done = 'You have signed in. Close this window and go back to the terminal.\n'

/**
 * Waits for the browser to deliver the code of a sign-in. A request without the right state does not belong to this
 * sign-in.
 */
export async function listenForCode(state: string, waitMs: number): Promise<CodeListener> {
  let [taken, failed]: [(code: string) => void, (error: Error) => void] = [() => {}, () => {}]
  const code = new Promise<string>((resolve, reject) => {
    ;[taken, failed] = [resolve, reject]
  })
  // Closing must not cause an unhandled rejection if nothing waits.
  code.catch(() => {})
  const server = createServer({ maxHeaderSize: 16_384, requestTimeout: 10_000 }, (request, response) => {
    const found = codeIn(request.method, request.url ?? '', state)
    if (found === undefined) return answer(response, 404, 'There is nothing here.\n')
    answer(response, 200, done)
    taken(found)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, loopback, resolve))
  const address = server.address()
  const timer = setTimeout(
    () =>
      failed(
        new Error(`the browser did not complete a sign-in within ${waitMs / 60_000} minutes: run the command again`),
      ),
    waitMs,
  )
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    code,
    close: () => {
      clearTimeout(timer)
      failed(new Error('the listener was closed'))
      server.close()
      server.closeAllConnections()
    },
  }
}

function codeIn(method: string | undefined, url: string, state: string): string | undefined {
  if (method !== 'GET' || !URL.canParse(url, `http://${loopback}`)) return undefined
  const { pathname, searchParams } = new URL(url, `http://${loopback}`)
  const [given, expected] = [Buffer.from(searchParams.get('state') ?? ''), Buffer.from(state)]
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
  const code = searchParams.get('code') ?? ''
  return pathname === '/' && isOurs && codeForm.test(code) ? code : undefined
}

function answer(response: ServerResponse, status: number, text: string): void {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  }
  response.writeHead(status, headers).end(text)
}
