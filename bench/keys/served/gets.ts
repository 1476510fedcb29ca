import { setTimeout as pause } from 'node:timers/promises'
import type { Subject } from '../../contract.ts'
import { openConnections, runClosedLoop } from '../../load/closed-loop.ts'
import { requestBytes } from '../../load/http1-connection.ts'
import { median } from '../../statistics.ts'
import { type Api, management } from './api.ts'
import { project } from './fill-store.ts'

const rounds = 7
const roundMs = 3000
const namespace = `p-${project}`
const path = `${management}/namespaces/${namespace}/virtualclusterinstances/demo`

export interface GetCosts {
  readonly staticMicroseconds: number
  readonly keyMicroseconds: number
  /** The median of the rounds, each of which measures both in turn. */
  readonly ratio: number
}

/**
 * The same GET with the static token, and with a key whose owner is a member of the project and whose scope is the
 * project.
 */
export async function measureGets(subject: Subject, api: Api): Promise<GetCosts> {
  await api.create('User', 'users', { metadata: { name: 'reader' } })
  const members = [{ kind: 'User', name: 'reader', role: 'viewer' }]
  await api.create('Project', 'projects', { metadata: { name: project }, spec: { members } })
  await pause(1000)
  await api.create('VirtualClusterInstance', 'virtualclusterinstances', { metadata: { name: 'demo' } }, namespace)
  const key = await api.createKey('reading', { user: 'reader', scope: { projects: [{ project }] } })
  const connections = await openConnections(subject)
  const measure = async (token: string) => {
    const request = requestBytes({ ...subject, token }, 'GET', path)
    const load = { next: () => request, expectedStatus: 200, limit: { durationMs: roundMs } }
    return (await runClosedLoop(subject, connections, load)).serverCpuMicroseconds
  }
  await measure(subject.token)
  await measure(key)
  const costs: (readonly [number, number])[] = []
  for (let round = 0; round < rounds; round++) costs.push([await measure(subject.token), await measure(key)])
  for (const connection of connections) connection.close()
  return {
    staticMicroseconds: median(costs.map(([fixed]) => fixed)),
    keyMicroseconds: median(costs.map(([, byKey]) => byKey)),
    ratio: median(costs.map(([fixed, byKey]) => byKey / fixed)),
  }
}
