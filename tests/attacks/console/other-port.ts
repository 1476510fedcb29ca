import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer as createHttp, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificates } from '../../support/certificates.ts'

/** An attacker's server on another port of the platform's host. */
export interface OtherPort {
  readonly url: string
  /** Cookies that browsers have sent it. */
  readonly cookies: readonly string[]
  /** The cookie is set with each answer from now on. */
  plant(cookie: string): void
  stop(): Promise<void>
}

export async function startOtherPort(scheme: 'http' | 'https'): Promise<OtherPort> {
  const cookies: string[] = []
  let planted: string | undefined
  const answer: RequestListener = (request: IncomingMessage, response) => {
    if (request.headers.cookie !== undefined) cookies.push(request.headers.cookie)
    response.setHeader('content-type', 'text/html')
    if (planted !== undefined) response.setHeader('set-cookie', planted)
    response.end('<!doctype html><title>other</title><body></body>')
  }
  const directory = await mkdtemp(join(tmpdir(), 'other-port-'))
  const server = scheme === 'http' ? createHttp(answer) : await withCertificate(directory, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    cookies,
    plant: (cookie) => {
      planted = cookie
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function withCertificate(directory: string, answer: RequestListener): Promise<Server> {
  const { certFile, keyFile } = await makeCertificates(directory, 'other')
  return createHttps({ cert: await readFile(certFile), key: await readFile(keyFile) }, answer)
}
