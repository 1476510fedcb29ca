import { performServerHandshake } from 'node:http2'
import { request } from 'node:https'
import type { Duplex } from 'node:stream'
import { controlPath, linkProtocol, processHeader, proofHeader } from '../../../src/api/link.ts'
import type { Ground } from '../contract.ts'

const group = 'management.platform.internal'
const instances = `/apis/${group}/v1/namespaces/p-default/virtualclusterinstances`

/** A tenant that links and then authenticates over and over. When it is cut off, it returns under another name. */
export async function linkLines(ground: Ground): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const name = `hostile-${process.pid}-${attempt}`
    const proof = await proofOf(ground, name).catch(() => undefined)
    const connection = proof === undefined ? undefined : await dial(ground, name, proof).catch(() => undefined)
    if (connection !== undefined) await flood(connection)
    else await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function proofOf(ground: Ground, name: string): Promise<string> {
  const first = await register(ground, name)
  await register(ground, name, first)
  return first
}

function register(ground: Ground, name: string, proof?: string): Promise<string> {
  const spec = { serviceUid: `uid-of-${name}`, namespace: 'team', virtualCluster: name, ...(proof && { proof }) }
  const body = JSON.stringify({ apiVersion: `${group}/v1`, kind: 'VirtualClusterRegistration', spec })
  return new Promise((resolve, reject) => {
    const asking = request(
      asked(ground, 'POST', `${instances}/${name}/register`, { 'content-type': 'application/json' }),
    )
    asking.once('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      answer.once('end', () => {
        if (answer.statusCode !== 201) reject(new Error(text))
        else resolve(JSON.parse(text).status.proof ?? proof)
      })
    })
    asking.once('error', reject).end(body)
  })
}

function dial(ground: Ground, name: string, proof: string): Promise<Duplex> {
  const headers = { connection: 'Upgrade', upgrade: linkProtocol, [processHeader]: 'tenant-0', [proofHeader]: proof }
  return new Promise((resolve, reject) => {
    const asking = request(asked(ground, 'GET', `${instances}/${name}/link`, headers))
    asking.once('upgrade', (_, connection, head) => {
      if (head.length > 0) connection.unshift(head)
      resolve(connection)
    })
    asking.once('response', (answer) => reject(new Error(`no link: ${answer.statusCode}`)))
    asking.once('error', reject).end()
  })
}

function asked({ port, authority, tenantKey }: Ground, method: string, path: string, headers: Record<string, string>) {
  const own = { authorization: `Bearer ${tenantKey}`, ...headers }
  return { host: '127.0.0.1', port, ca: authority, agent: false, method, path, headers: own } as const
}

function flood(connection: Duplex): Promise<void> {
  const lines = Buffer.from(`${JSON.stringify({ type: 'authenticate', accessKey: 'x'.repeat(60) })}\n`.repeat(100))
  const session = performServerHandshake(connection)
  session.on('error', () => {})
  session.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    stream.respond({ ':status': 200 })
    if (headers[':path'] !== controlPath) return
    const write = () => {
      while (!stream.destroyed && stream.write(lines));
    }
    stream.resume().on('drain', write)
    write()
  })
  return new Promise((resolve) => connection.once('close', () => resolve()).on('error', () => {}))
}
