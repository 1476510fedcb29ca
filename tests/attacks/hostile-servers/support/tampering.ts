import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, request } from 'node:https'
import { onTestFinished } from 'vitest'
import { type ScriptedServer, startScriptedServer } from '../../../client/scripted-server.ts'

/** Returns true if it has answered the request. */
export type Tamper = (path: string, response: ServerResponse, incoming: IncomingMessage) => boolean

/** Stands in front of an API server, and answers some requests itself. Ends with the test. */
export async function startTampering(
  cluster: { readonly port: number; readonly authority: string },
  tamper: Tamper,
): Promise<ScriptedServer> {
  const agent = new Agent({ keepAlive: true, ca: cluster.authority })
  const server = await startScriptedServer((response, { path }) => {
    const incoming = response.req
    if (tamper(path, response, incoming)) return
    const { method, headers } = incoming
    const passed = request({ host: '127.0.0.1', port: cluster.port, agent, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  onTestFinished(async () => {
    await server.stop()
    agent.destroy()
  })
  return server
}
