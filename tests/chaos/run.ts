import { setTimeout as delay } from 'node:timers/promises'
import { Chance } from '../support/chance.ts'
import { freePort } from '../support/network/free-port.ts'
import type { Cluster } from '../sync/support/clusters.ts'
import { createSyncer } from '../sync/support/syncer.ts'
import { differences, look, versionsOf } from './compare.ts'
import { configuration } from './configurations.ts'
import { collections, plurals } from './content.ts'
import { startFaultyPath } from './faulty-path.ts'
import { Mishaps } from './mishaps.ts'
import { Model } from './model.ts'
import { firstOperations, nextOperation, type Operation, virtualNamespaces } from './operations.ts'
import { performHost, performVirtual } from './perform.ts'
import type { World } from './world.ts'

export interface ChaosOptions {
  readonly seed: number
  readonly operations: number
  readonly virtual: Cluster
  readonly host: Cluster
}

export interface ChaosResult {
  /** Violations at the end; empty if both worlds are as they must be. */
  readonly complaints: readonly string[]
  /** The log of the run, line by line. */
  readonly log: readonly string[]
}

/** Longer than the longest backoff of the syncer. */
const quietMs = 240_000
const stableMs = 1_500
const longestPauseMs = 250

/** Random operations and mishaps, then quiet; then both worlds are compared with the model. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { seed, virtual, host } = options
  const tenant = { tenant: `chaos-${seed % 3}`, hostNamespace: `chaos-host-${seed}` }
  const world: World = { virtual, host, tenant, model: new Model() }
  await prepare(world)
  const paths = { virtual: await startFaultyPath(virtual), host: await startFaultyPath(host) }
  const access = { virtual: paths.virtual.access, host: paths.host.access }
  const statusPort = await freePort()
  const flags = ['--status-port', String(statusPort)]
  const syncer = createSyncer({ ...tenant, ...access, config: configuration(0).text, flags })
  const mishaps = new Mishaps({ seed, syncer, clusters: { virtual, host }, paths })
  const log: string[] = []
  try {
    syncer.launch()
    const complaints = await act(world, mishaps, options, log)
    if (complaints.length === 0) complaints.push(...(await untilAsExpected(world, mishaps)))
    log.push(`faults: ${JSON.stringify([...paths.virtual.https.happened, ...paths.host.https.happened])}`)
    if (complaints.length > 0) log.push(syncer.output(), await stateOf(statusPort))
    return { complaints, log }
  } finally {
    await mishaps.endUntil(Number.POSITIVE_INFINITY)
    await syncer.remove()
    for (const path of Object.values(paths)) await path.remove()
    await tidy(world)
  }
}

/** The syncer's own status. */
async function stateOf(statusPort: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${statusPort}/debug/sync`).catch(() => undefined)
  return (await answer?.text()) ?? 'the syncer says nothing'
}

async function act(
  world: World,
  mishaps: Mishaps,
  { seed, operations }: ChaosOptions,
  log: string[],
): Promise<string[]> {
  const chance = new Chance(seed)
  for (const operation of firstOperations(chance)) await performVirtual(world, operation)
  const complaints = [...(await untilAsExpected(world, mishaps))]
  if (complaints.length > 0) return complaints
  for (let index = 0; index < operations; index++) {
    const operation = nextOperation(chance, index, (side) => mishaps.isAway(side))
    const outcome = await perform(world, mishaps, operation, index)
    log.push(`${index} ${JSON.stringify(operation)}: ${outcome}`)
    if (outcome.startsWith('LOST')) complaints.push(outcome)
    await delay(chance.next() < 0.3 ? 0 : chance.next() * longestPauseMs)
    await mishaps.endUntil(index)
  }
  await mishaps.endUntil(Number.POSITIVE_INFINITY)
  return complaints
}

function perform(world: World, mishaps: Mishaps, operation: Operation, index: number): Promise<string> {
  switch (operation.do) {
    case 'create':
    case 'set content':
    case 'set team':
    case 'set label':
    case 'remove label':
    case 'delete':
    case 'recreate':
      return performVirtual(world, operation)
    case 'delete copy':
    case 'strip copy':
      // The test must see the host's changes on the virtual side before the copy is lost.
      return mishaps.isAway('virtual') ? Promise.resolve('the virtual side was away') : performHost(world, operation)
    case 'set copy label':
    case 'remove copy label':
    case 'edit copy':
    case 'take name':
    case 'forge':
    case 'change foreign':
    case 'delete foreign':
      return performHost(world, operation)
    default:
      return mishaps.begin(operation, index)
  }
}

/** Waits until both worlds are as expected and stay so without further writes. */
async function untilAsExpected(world: World, { variant, syncer }: Mishaps): Promise<readonly string[]> {
  const { onHost } = configuration(variant)
  const deadline = performance.now() + quietMs
  for (;;) {
    if (syncer.unexpectedEnd !== undefined) return [`the syncer ended by itself: ${syncer.unexpectedEnd}`]
    const seen = await look(world)
    const complaints = differences(world, seen, onHost)
    if (complaints.length === 0) {
      await delay(stableMs)
      const later = await look(world)
      if (versionsOf(later) === versionsOf(seen)) return []
      if (performance.now() > deadline) return ['both worlds are as expected, but writes continue']
    } else if (performance.now() > deadline || complaints.some((text) => text.startsWith('LOST'))) return complaints
    else await delay(100)
  }
}

async function prepare(world: World): Promise<void> {
  await world.host.client.ensureNamespace(world.tenant.hostNamespace)
  for (const namespace of virtualNamespaces) await world.virtual.client.ensureNamespace(namespace)
  await tidy(world)
}

/** The next run uses the virtual cluster again. */
async function tidy({ virtual }: World): Promise<void> {
  for (const plural of plurals) {
    for (const namespace of virtualNamespaces) {
      await virtual.client.deleteAll(collections[plural], namespace)
    }
  }
}
