import type { ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import type { KubeClient } from '../../../../src/client/contract.ts'
import { clientByKubeconfig, configMap, type TestClientOptions } from '../../../client/client-of.ts'
import { type Respond, type ScriptedServer, startScriptedServer } from '../../../client/scripted-server.ts'

export interface Attack {
  readonly client: KubeClient
  readonly server: ScriptedServer
}

/** A client of a server that answers as the attack wants. Both end with the test. */
export async function attackBy(respond: Respond, options: TestClientOptions = {}): Promise<Attack> {
  const server = await startScriptedServer(respond)
  onTestFinished(() => server.stop())
  const client = await clientByKubeconfig(server.kubeconfig(), options)
  onTestFinished(() => client.close())
  return { client, server }
}

export const key = { namespace: 'n', name: 'a' }

export function objectNamed(name: string, resourceVersion = '1') {
  const { metadata, ...rest } = configMap('n', name)
  return { ...rest, metadata: { ...metadata, uid: `uid-${name}`, resourceVersion } }
}

export function listOf(items: readonly unknown[], metadata: object = {}): string {
  return JSON.stringify({
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '10', ...metadata },
    items,
  })
}

/** The text of an object with this many levels of nesting. */
export function deepObject(name: string, levels: number, resourceVersion = '1'): string {
  const text = JSON.stringify(objectNamed(name, resourceVersion))
  return `${text.slice(0, -1)},"deep":${'['.repeat(levels)}${']'.repeat(levels)}}`
}

/** Writes until the client stops reading. Returns how much it read. */
export function pour(response: ServerResponse, piece: Buffer, mostBytes = Number.POSITIVE_INFINITY): { bytes: number } {
  const poured = { bytes: 0 }
  const more = () => {
    while (response.writable && poured.bytes < mostBytes) {
      poured.bytes += piece.length
      if (!response.write(piece)) return void response.once('drain', more)
    }
    if (response.writable) response.end()
  }
  more()
  return poured
}

export const megabyte = 1024 * 1024
