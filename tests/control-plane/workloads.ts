import type { ClusterClient } from '../sync/support/cluster-client.ts'
import { type Collection, pods, type Thing } from '../sync/support/objects.ts'

export const nodes: Collection = { apiVersion: 'v1', kind: 'Node', plural: 'nodes' }
export const deployments: Collection = { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments' }
export const replicaSets: Collection = { apiVersion: 'apps/v1', kind: 'ReplicaSet', plural: 'replicasets' }

/** A Node that reports itself as ready, like its kubelet. */
export async function makeNode(client: ClusterClient, name: string): Promise<void> {
  const room = { cpu: '8', memory: '16Gi', pods: '110' }
  await client.create(nodes, { metadata: { name } })
  await client.patch(
    nodes,
    '',
    name,
    { status: { capacity: room, allocatable: room, conditions: [ready()] } },
    'status',
  )
}

/** Renews the Node's heartbeat: after 40 seconds without one it counts as lost. */
export async function tellReady(client: ClusterClient, name: string): Promise<void> {
  await client.patch(nodes, '', name, { status: { conditions: [ready()] } }, 'status')
}

function ready() {
  const now = `${new Date().toISOString().slice(0, 19)}Z`
  return {
    type: 'Ready',
    status: 'True',
    reason: 'Ready',
    message: '',
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  }
}

/** Plays a kubelet: Pods with a Node run, and deleted Pods disappear. */
export async function runPods(client: ClusterClient, namespace: string): Promise<void> {
  for (const pod of await client.list(pods, namespace)) await runPod(client, pod)
}

async function runPod(client: ClusterClient, pod: Thing): Promise<void> {
  const { name, namespace = '', deletionTimestamp } = pod.metadata
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`
  const { nodeName } = Object(pod.spec)
  if (deletionTimestamp !== undefined) await client.request('DELETE', path, { gracePeriodSeconds: 0 })
  else if (nodeName !== undefined && Object(pod.status).phase === 'Pending') {
    const type = 'application/merge-patch+json'
    await client.request('PATCH', `${path}/status`, { status: { phase: 'Running', conditions: [ready()] } }, type)
  }
}
