import { setTimeout as delay } from 'node:timers/promises'
import { Chance } from '../../../support/chance.ts'
import { freePort } from '../../../support/network/free-port.ts'
import { ClusterClient } from '../../../sync/support/cluster-client.ts'
import type { Cluster } from '../../../sync/support/clusters.ts'
import { claims, configMaps, pods, secrets, services } from '../../../sync/support/objects.ts'
import { createSyncer } from '../../../sync/support/syncer.ts'
import { accessIn } from '../../../sync/support/tenant-on-host.ts'
import { startFaultyPath } from '../../faulty-path.ts'
import { check } from '../checker/check.ts'
import { differences, remains } from '../checker/end-state.ts'
import { deleteForeign, performHost } from './host-users.ts'
import { deployments, virtualNamespaces } from './kinds.ts'
import { Kubelets } from './kubelets.ts'
import { look, versionsOf } from './look.ts'
import { Mishaps } from './mishaps.ts'
import { Nodes } from './nodes.ts'
import { firstOperations, nextOperation, type Operation } from './operations.ts'
import { Recorder } from './recorder.ts'
import { ownOnHost, type Scene } from './scene.ts'
import { performVirtual } from './users.ts'

export interface ChaosOptions {
  readonly seed: number
  readonly operations: number
  readonly host: Cluster
}

export interface ChaosResult {
  /** Violations; empty if there are none. */
  readonly complaints: readonly string[]
  /** The log of the run, line by line. */
  readonly log: readonly string[]
}

/** Longer than the longest backoff of a syncer. */
const quietMs = 240_000
const stableMs = 1_000
const longestPauseMs = 200

const config = JSON.stringify({ networking: { apiAddress: '10.9.9.9:443', dnsAddress: '10.9.9.9' } })

/**
 * Pods while everything fails; then quiet, until both worlds are in step; then everything is deleted, and nothing may
 * be left.
 */
export async function runPodChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { seed, host } = options
  const place = { tenant: `pods-${seed}`, hostNamespace: `pods-host-${seed}` }
  await host.client.ensureNamespace(place.hostNamespace)
  const path = await startFaultyPath(host)
  const flags = ['--port', String(await freePort())]
  const tenant = createSyncer({ ...place, host: path.access, config, flags })
  const nodes = new Nodes(host.client, `node-${seed}`)
  const log: string[] = []
  let chaos: Chaos | undefined
  try {
    await tenant.start()
    const virtualAccess = accessIn(tenant.kubeconfig)
    const scene: Scene = {
      virtual: new ClusterClient(virtualAccess),
      host: host.client,
      tenant: place,
      nodes,
      recorder: new Recorder({ virtual: virtualAccess, host: host.server }),
      chance: new Chance(seed),
      foreign: new Map(),
      taken: new Map(),
    }
    chaos = new Chaos(scene, new Mishaps({ seed, tenant, host, path }), log)
    const complaints = await chaos.run(options.operations)
    if (tenant.unexpectedEnd !== undefined) complaints.push(`the tenant ended by itself: ${tenant.unexpectedEnd}`)
    log.push(`faults: ${JSON.stringify([...path.https.happened])}, histories lost: ${scene.recorder.gaps}`)
    if (complaints.length > 0) log.push(tenant.output())
    return { complaints, log }
  } finally {
    await chaos?.end()
    await tenant.remove()
    await path.remove()
    await nodes.removeAll()
  }
}

class Chaos {
  readonly #scene: Scene
  readonly #mishaps: Mishaps
  readonly #log: string[]
  readonly #kubelets: Kubelets

  constructor(scene: Scene, mishaps: Mishaps, log: string[]) {
    this.#scene = scene
    this.#mishaps = mishaps
    this.#log = log
    const { host, nodes, tenant, recorder, foreign } = scene
    this.#kubelets = new Kubelets({
      host,
      namespace: tenant.hostNamespace,
      nodes,
      chance: new Chance(scene.chance.seed + 1),
      pods: () =>
        recorder
          .all('host', 'Pod')
          .filter(({ metadata }) => foreign.get(metadata.uid)?.wasCopy ?? !foreign.has(metadata.uid)),
      claims: () => ownOnHost(scene, 'PersistentVolumeClaim'),
    })
  }

  async run(operations: number): Promise<string[]> {
    await this.#begin()
    for (let index = 0; index < operations; index += 1) await this.#operate(index)
    await this.#mishaps.endUntil(Number.POSITIVE_INFINITY)
    await this.#scene.nodes.mend()
    await this.#clearTheWay()
    const unlike = await this.#until('in step', differences)
    if (unlike.length === 0) unlike.push(...(await this.#deleteAll()))
    const { recorder, foreign, taken } = this.#scene
    return [
      ...check({ sights: recorder.sights, foreign, taken, endMs: Date.now(), hasGaps: recorder.gaps > 0 }),
      ...unlike,
    ]
  }

  async end(): Promise<void> {
    await this.#mishaps.endUntil(Number.POSITIVE_INFINITY)
    this.#kubelets.stop()
    await this.#scene.recorder.stop()
    await this.#scene.virtual.close()
  }

  async #begin(): Promise<void> {
    const { virtual, nodes, recorder, tenant, chance } = this.#scene
    for (const namespace of virtualNamespaces) await virtual.ensureNamespace(namespace)
    const onHost = [pods, services, claims, secrets, configMaps]
    recorder.start([
      ...onHost.map((kind) => ({ side: 'host' as const, kind, namespace: tenant.hostNamespace })),
      ...virtualNamespaces.flatMap((namespace) =>
        [pods, claims, secrets, configMaps].map((kind) => ({ side: 'virtual' as const, kind, namespace })),
      ),
    ])
    for (let count = 0; count < 3; count += 1) await nodes.add()
    for (const operation of firstOperations(chance)) await performVirtual(this.#scene, operation)
  }

  async #operate(index: number): Promise<void> {
    const { chance } = this.#scene
    const operation = nextOperation(chance, index, this.#mishaps.away())
    const outcome = await this.#perform(operation, index)
    this.#log.push(`${index} ${JSON.stringify(operation)}: ${outcome}`)
    await delay(chance.next() < 0.3 ? 0 : chance.next() * longestPauseMs)
    await this.#mishaps.endUntil(index)
  }

  #perform(operation: Operation, index: number): Promise<string> {
    switch (operation.do) {
      case 'create pod':
      case 'delete pod':
      case 'make pod anew':
      case 'make claim anew':
      case 'make settings anew':
      case 'change settings':
      case 'label pod':
      case 'scale':
      case 'roll out':
      case 'toggle claim':
      case 'toggle service':
      case 'toggle settings':
        return performVirtual(this.#scene, operation)
      case 'kill tenant':
      case 'freeze tenant':
      case 'kill host':
      case 'freeze host':
      case 'weather':
      case 'refuse':
      case 'slow':
      case 'drop connections':
      case 'drop watches':
        return this.#mishaps.begin(operation, index)
      default:
        return performHost(this.#scene, operation)
    }
  }

  /** Deletes objects of others that have the names of copies. */
  async #clearTheWay(): Promise<void> {
    const { host, tenant, foreign } = this.#scene
    for (const { metadata } of await host.list(pods, tenant.hostNamespace)) {
      if (foreign.has(metadata.uid ?? '') && !metadata.name.startsWith('forged-'))
        await deleteForeign(this.#scene, metadata.name)
    }
  }

  /** The complaints that remain when the time is over; empty once all is right and nothing more is written. */
  async #until(what: string, complaintsOf: typeof differences): Promise<string[]> {
    const startedMs = performance.now()
    for (;;) {
      const state = await look(this.#scene)
      const unlike = complaintsOf(state)
      const isLate = performance.now() - startedMs > quietMs
      if (unlike.length === 0) {
        await delay(stableMs)
        if (versionsOf(await look(this.#scene)) === versionsOf(state)) {
          this.#log.push(`${what} after ${Math.round(performance.now() - startedMs)} ms`)
          return []
        }
        if (isLate) return ['all is right, but writes continue']
      } else if (isLate) return [...unlike]
      await delay(100)
    }
  }

  async #deleteAll(): Promise<string[]> {
    const { virtual } = this.#scene
    for (const namespace of virtualNamespaces) {
      for (const kind of [deployments, pods, services, claims, secrets, configMaps])
        await virtual.deleteAll(kind, namespace)
    }
    return this.#until('gone', remains)
  }
}
