import { setTimeout as delay } from 'node:timers/promises'
import { type Access, ClusterClient } from '../../sync/support/cluster-client.ts'

const pauseMs = 20

/** A client that constantly creates Endpoints. */
export interface Writer {
  /** Names of acknowledged Endpoints. */
  readonly written: readonly string[]
  end(): Promise<void>
}

export function writeEndpoints(access: Access): Writer {
  const client = new ClusterClient(access)
  const written: string[] = []
  let isWanted = true
  const writing = (async () => {
    for (let count = 0; isWanted; count += 1) {
      const metadata = { name: `load-${count}`, namespace: 'default' }
      const subsets = [{ addresses: [{ ip: `192.0.2.${count % 250}` }], ports: [{ port: 80 }] }]
      const body = { apiVersion: 'v1', kind: 'Endpoints', metadata, subsets }
      const { status } = await client.request('POST', '/api/v1/namespaces/default/endpoints', body)
      if (status !== 201) throw new Error(`Endpoints ${metadata.name} are refused: ${status}`)
      written.push(metadata.name)
      await delay(pauseMs)
    }
  })()
  return {
    written,
    end: async () => {
      isWanted = false
      await writing.finally(() => client.close())
    },
  }
}
