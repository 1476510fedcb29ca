import { type Log, silentLog } from '../../src/base/log.ts'
import type { KubeClient } from '../../src/client/contract.ts'
import { configMap, configMaps } from './client-of.ts'
import { Replica } from './replica.ts'

/** Collects the reasons that an informer logs. */
export function recordingLog(reasons: string[]): Log {
  return { ...silentLog, warn: (_message, fields) => reasons.push(String(fields?.reason)) }
}

/** Follows three objects that it creates. */
export async function following(client: KubeClient, namespace: string): Promise<Replica> {
  for (const name of ['stays', 'changes', 'goes']) await client.create(configMaps, configMap(namespace, name))
  const informer = client.informer(configMaps, { namespace, fieldSelector: 'metadata.name!=kube-root-ca.crt' })
  await informer.whenSynced()
  const replica = new Replica(informer)
  replica.changes.length = 0
  return replica
}

export async function change(client: KubeClient, namespace: string): Promise<void> {
  await client.patch(configMaps, { namespace, name: 'changes' }, { type: 'merge', body: { data: { x: '1' } } })
  await client.delete(configMaps, { namespace, name: 'goes' })
  await client.create(configMaps, configMap(namespace, 'comes'))
}

export const amountsTo = ['add comes', 'delete goes', 'update changes']
