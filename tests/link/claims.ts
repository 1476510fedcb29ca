import { request } from 'node:https'
import type { Duplex } from 'node:stream'
import { linkProtocol, processHeader, proofHeader } from '../../src/api/link.ts'
import { type Answered, group, type TestPlatform } from '../platform/platform.ts'
import { instances } from './support.ts'

/** A client that claims to be a virtual cluster. */
export interface Claim {
  readonly token: string
  readonly name?: string
  readonly project?: string
  readonly proof?: string
  readonly serviceUid?: string
  readonly namespace?: string
  readonly dryRun?: boolean
}

export function registerAs(platform: Pick<TestPlatform, 'ask'>, claim: Claim): Promise<Answered> {
  const { token, name = 'dev', project = 'default', proof, dryRun = false } = claim
  const { serviceUid = `uid-of-${name}`, namespace = 'team-a' } = claim
  const spec = { serviceUid, namespace, virtualCluster: name, ...(proof !== undefined && { proof }) }
  const body = { apiVersion: `${group}/v1`, kind: 'VirtualClusterRegistration', spec }
  const path = `${instances(project)}/${name}/register${dryRun ? '?dryRun=All' : ''}`
  return platform.ask('POST', path, { token, body })
}

export interface Dial extends Claim {
  readonly process?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

export type Dialed =
  | { readonly status: 101; readonly connection: Duplex }
  | { readonly status: number; readonly text: string }

/** Requests a link, and does not use it. */
export function dial(platform: Pick<TestPlatform, 'server'>, asked: Dial): Promise<Dialed> {
  const { token, name = 'dev', project = 'default', proof, process = 'tenant-0', headers = {} } = asked
  const { url, authority } = platform.server
  return new Promise((resolve, reject) => {
    const asking = request(`${url}${instances(project)}/${name}/link`, {
      ca: authority,
      agent: false,
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        connection: 'Upgrade',
        upgrade: linkProtocol,
        [processHeader]: process,
        ...(proof !== undefined && { [proofHeader]: proof }),
        ...Object.fromEntries(Object.entries(headers).map(([each, value]) => [each, [value].flat()])),
      },
    })
    asking.once('upgrade', (_, connection, head) => {
      if (head.length > 0) connection.unshift(head)
      connection.on('error', () => {})
      resolve({ status: 101, connection })
    })
    asking.once('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    asking.once('error', reject)
    asking.end()
  })
}

/** Why a proof was refused; undefined if it was not. */
export function refusedFor(answer: { readonly status: number; readonly text?: string }): string | undefined {
  if (answer.status !== 403 || answer.text === undefined) return undefined
  return JSON.parse(answer.text).details?.causes?.[0]?.reason
}

/** Registers and shows the issued proof, like a virtual cluster that links for the first time. */
export async function proveToBe(platform: TestPlatform, claim: Claim): Promise<string> {
  const { body } = await registerAs(platform, claim)
  const { proof, name } = body.status
  if (typeof proof !== 'string') throw new Error(`no proof was issued: ${JSON.stringify(body)}`)
  const again = await registerAs(platform, { ...claim, name, proof })
  if (again.status !== 201) throw new Error(again.text)
  return proof
}
