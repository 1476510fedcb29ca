import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { monotonicClock, systemClock } from '../../base/clock.ts'
import { createLog, type Log } from '../../base/log.ts'
import { systemRandom } from '../../base/random.ts'
import type { KubeClient } from '../../client/contract.ts'
import { createKubeClient } from '../../client/kube-client.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import { loadClusterAccess } from '../../client/kubeconfig/load.ts'
import { TenantSync } from '../../tenant/sync/tenant-sync.ts'
import { packageVersion } from '../package-version.ts'
import type { Terminal } from '../terminal.ts'
import { untilStopped } from '../until-stopped.ts'
import { firstConfig, followConfig } from './config-file.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import type { RunFlags } from './flags.ts'
import { dataDirectory } from './run-command.ts'
import { statusRoute, type TenantStatus } from './status-routes.ts'
import { startStatusServer } from './status-server.ts'

/** Starts the parts of a virtual cluster one after the other, and ends them in the opposite order. */
export async function run(flags: RunFlags, terminal: Terminal): Promise<void> {
  const config = await firstConfig(flags.file, terminal)
  const log = createLog({ level: flags.logLevel })
  const stops: (() => void | Promise<void>)[] = [() => log.flush()]
  const stopped = untilStopped()
  try {
    const host = clientOf(
      await loadClusterAccess({ file: flags.hostKubeconfig, clock: systemClock, env: terminal.env }),
      log,
    )
    stops.push(() => host.close())
    const status = new LateStatus()
    const controlPlane = await controlPlaneOf(flags, status, terminal, log)
    if (controlPlane !== undefined) stops.push(() => controlPlane.stop())
    const virtual = clientOf(controlPlane?.access ?? (await virtualAccess(flags, terminal)), log)
    stops.push(() => virtual.close())
    const sync = new TenantSync({
      identity: { tenant: flags.name, hostNamespace: flags.namespace },
      config,
      host,
      virtual,
      virtualFollowsHostAddresses: controlPlane !== undefined,
      isReplicated: config.controlPlane.replicas > 1,
      processName: hostname(),
      clock: systemClock,
      elapsed: monotonicClock,
      random: systemRandom,
      log,
    })
    stops.push(() => sync.stop())
    status.of(sync)
    if (flags.statusPort !== undefined) stops.push(await serveStatus(flags.statusPort, status, terminal))
    if (flags.file !== undefined) stops.push(followConfig(resolve(flags.file), (next) => sync.reconfigure(next), log))
    void sync.whenInStep().then(() => {
      status.setReady()
      terminal.stdout.write('ready\n')
    })
    await stopped
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

function clientOf(access: ClusterAccess, log: Log): KubeClient {
  const userAgent = `tenant-syncer/${packageVersion()}`
  return createKubeClient({ access, clock: systemClock, random: systemRandom, log, userAgent, env: process.env })
}

async function controlPlaneOf(
  flags: RunFlags,
  status: TenantStatus,
  terminal: Terminal,
  log: Log,
): Promise<ControlPlane | undefined> {
  if (flags.virtualKubeconfig !== undefined) return undefined
  const controlPlane = await startControlPlane({
    tenant: flags.name,
    directory: resolve(dataDirectory(flags)),
    host: flags.host,
    port: flags.port,
    server: { extraRoutes: [statusRoute(status)], moreMetrics: () => status.metrics() },
    log: log.child({ server: 'virtual' }),
  })
  terminal.stdout.write(`virtual ${controlPlane.url}\nkubeconfig ${controlPlane.kubeconfig}\n`)
  return controlPlane
}

function virtualAccess({ virtualKubeconfig }: RunFlags, { env }: Terminal): Promise<ClusterAccess> {
  return loadClusterAccess({ file: virtualKubeconfig, clock: systemClock, env })
}

async function serveStatus(port: number, status: TenantStatus, terminal: Terminal): Promise<() => void> {
  const server = await startStatusServer(port, status)
  terminal.stdout.write(`status ${server.url}\n`)
  return server.stop
}

/** The control plane serves before there is a sync to tell about. */
class LateStatus implements TenantStatus {
  #sync: TenantSync | undefined
  #isReady = false

  of(sync: TenantSync): void {
    this.#sync = sync
  }

  setReady(): void {
    this.#isReady = true
  }

  isReady(): boolean {
    return this.#isReady
  }

  debug(): unknown {
    return this.#sync?.debug() ?? {}
  }

  async metrics(): Promise<string> {
    return (await this.#sync?.metrics()) ?? ''
  }
}
