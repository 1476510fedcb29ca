import { setTimeout as delay } from 'node:timers/promises'
import { type Access, ClusterClient } from '../../sync/support/cluster-client.ts'

const pauseMs = 50
const configMaps = '/api/v1/namespaces/default/configmaps'

/**
 * A client that constantly creates ConfigMaps in a virtual cluster, through the platform and the link, whatever fails.
 */
export interface ConstantWriter {
  /** Names of acknowledged ConfigMaps. */
  readonly acknowledged: ReadonlySet<string>
  /** Reasons of refusals since the last call. */
  refusals(): readonly string[]
  /** Writes since the last call that were not acknowledged, and their answers. */
  failures(): readonly string[]
  /** Names of the ConfigMaps that the virtual cluster has. */
  found(): Promise<ReadonlySet<string>>
  end(): Promise<void>
}

export function writeConstantly(access: Access, virtualCluster: string): ConstantWriter {
  const prefix = `/kubernetes/project/default/virtualcluster/${virtualCluster}`
  const [writer, reader] = [new ClusterClient(access), new ClusterClient(access)]
  const acknowledged = new Set<string>()
  const refused: string[] = []
  const failed: string[] = []
  let isWanted = true
  const writing = (async () => {
    for (let count = 0; isWanted; count += 1) {
      const name = `kept-${count}`
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { count: String(count) } }
      const answer = await writer.request('POST', `${prefix}${configMaps}`, body).catch(() => undefined)
      if (answer?.status !== 201) failed.push(`${name}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
      if (answer?.status === 201) acknowledged.add(name)
      else if (answer !== undefined) refused.push(...reasonsOf(answer.body))
      await delay(pauseMs)
    }
  })()
  return {
    acknowledged,
    refusals: () => refused.splice(0),
    failures: () => failed.splice(0),
    found: async () => {
      const { status, body } = await reader.request('GET', `${prefix}${configMaps}`)
      if (status !== 200) throw new Error(`the virtual cluster answers ${status}`)
      const { items } = JSON.parse(JSON.stringify(body))
      return new Set(items.map(({ metadata }: { metadata: { name: string } }) => metadata.name))
    },
    end: async () => {
      isWanted = false
      await writing
      await Promise.all([writer.close(), reader.close()])
    },
  }
}

/** The reasons of a Status and of its causes. */
function reasonsOf(status: unknown): readonly string[] {
  const { reason, details } = JSON.parse(JSON.stringify(status ?? {}))
  return [reason, ...(details?.causes ?? []).map((cause: { reason: string }) => cause.reason)]
}
