import type { DaemonNode } from '../daemon-set/daemon-node.ts'
import type { ZoneShares } from './zone-allocations.ts'

export const zoneLabel = 'topology.kubernetes.io/zone'

const rolesLeftOut = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master']

/** More than any cluster has. Endpoints are allocated one by one, and each time all zones are compared. */
const mostZones = 100

/** For ready nodes; undefined if one lacks its zone or CPUs, if all are in one zone, or in too many. */
export function zoneSharesOf(nodes: Iterable<DaemonNode>): ZoneShares | undefined {
  const cpus = new Map<string, bigint>()
  for (const { labels, readiness, cpu } of nodes) {
    if (readiness !== 'ready' || rolesLeftOut.some((role) => role in labels)) continue
    const zone = labels[zoneLabel] ?? ''
    if (zone === '' || cpu === 0n) return undefined
    cpus.set(zone, (cpus.get(zone) ?? 0n) + cpu)
  }
  const total = [...cpus.values()].reduce((sum, cpu) => sum + cpu, 0n)
  if (cpus.size < 2 || cpus.size > mostZones) return undefined
  return new Map([...cpus].map(([zone, cpu]) => [zone, Number(cpu) / Number(total)]))
}

/** Whether a change of a Node does not affect the shares. */
export function hasSameShare(before: DaemonNode | undefined, after: DaemonNode | undefined): boolean {
  return (
    before !== undefined &&
    after !== undefined &&
    (before.readiness === 'ready') === (after.readiness === 'ready') &&
    before.labels[zoneLabel] === after.labels[zoneLabel]
  )
}
