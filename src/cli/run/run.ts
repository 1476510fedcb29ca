import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { systemClock } from '../../base/clock.ts'
import { createLog } from '../../base/log.ts'
import { UsageError } from '../../base/usage-error.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import { loadClusterAccess } from '../../client/kubeconfig/load.ts'
import { type RunningTenant, startTenant, type VirtualSide } from '../../cluster/virtual-cluster/start-tenant.ts'
import { startStatusServer } from '../../cluster/virtual-cluster/status-server.ts'
import { tenantDataDirectory } from '../arguments/data-directory.ts'
import { logFormat } from '../arguments/log-format.ts'
import { tracingOf } from '../arguments/trace-parents.ts'
import { readIssuer } from '../license/read-issuer.ts'
import { print } from '../output/print.ts'
import { delayShutdown } from '../shutdown-delay.ts'
import { keepHeapSmall, keepYoungSpaceAsItIs, letHeapGrow, shrinkHeap } from '../small-heap.ts'
import { readInputText } from '../terminal/read-text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { untilStopped } from '../until-stopped.ts'
import { requireWritable } from '../writable-directory.ts'
import { firstConfig, followConfig } from './config-file.ts'
import { lookMs, shrinkHeapAfterBursts } from './heap-at-rest.ts'
import type { RunOptions } from './options.ts'

/** Runs the virtual cluster in this process until the process is stopped. */
export async function run(flags: RunOptions, terminal: Terminal): Promise<void> {
  const config = await firstConfig(flags.file, terminal)
  const log = createLog({ level: flags.logLevel, format: logFormat(flags.logFormat, terminal) })
  const tracing = await tracingOf(flags.traceParents, 'tenant', terminal)
  const stops: (() => void | Promise<void>)[] = [() => log.flush(), () => tracing?.tracing.stop()]
  const stopped = untilStopped()
  letHeapGrow()
  try {
    if (flags.virtualKubeconfig === undefined) await requireWritable(directoryOf(flags, terminal))
    const running = await startTenant({
      identity: { tenant: flags.name, hostNamespace: flags.namespace },
      config,
      host: await accessOf(flags.hostKubeconfig, terminal),
      virtual: await virtualSide(flags, config, terminal),
      ...(flags.dnsPort !== undefined && { dns: { host: flags.dnsHost, port: flags.dnsPort } }),
      processName: terminal.env.POD_NAME ?? hostname(),
      env: terminal.env,
      ...(await licenseOf(flags, terminal)),
      ...(tracing && { tracing }),
      log,
    })
    stops.push(() => running.stop())
    tellAddresses(running, terminal)
    if (flags.statusPort !== undefined) stops.push(await serveStatus(flags.statusPort, running, terminal))
    if (flags.file !== undefined) {
      stops.push(followConfig(resolve(flags.file), config, async (next) => running.reconfigure(next), log))
    }
    void running.tenant.whenInStep().then(() => {
      print(terminal, 'ready\n')
      stops.push(shrinkHeapAtRest(running))
    })
    await stopped
    if (flags.shutdownDelay > 0) running.tenant.leave()
    await delayShutdown(running.controlPlane, flags)
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

/** An API server in this process must handle load later, too. Returns a function that cancels it. */
function shrinkHeapAtRest({ controlPlane }: RunningTenant): () => void {
  let end = () => clearTimeout(timer)
  const timer = setTimeout(() => {
    keepHeapSmall()
    shrinkHeap()
    if (controlPlane === undefined) keepYoungSpaceAsItIs()
    end = shrinkHeapAfterBursts()
  }, lookMs).unref()
  return () => end()
}

function accessOf(file: string | undefined, { env }: Terminal): Promise<ClusterAccess> {
  return loadClusterAccess({ file, clock: systemClock, env })
}

async function virtualSide(
  flags: RunOptions,
  { controlPlane }: EffectiveConfig,
  terminal: Terminal,
): Promise<VirtualSide> {
  const { virtualKubeconfig, host, port, name, namespace, store, controllersKubeconfig } = flags
  if (virtualKubeconfig !== undefined) return { form: 'given', access: await accessOf(virtualKubeconfig, terminal) }
  if (store === undefined && controlPlane.storage.etcd !== undefined) {
    throw new UsageError('controlPlane.storage.etcd is set in tenant.yaml: pass that etcd with --store, too')
  }
  const isInCluster = Boolean(terminal.env.KUBERNETES_SERVICE_HOST)
  const adminUrl = isInCluster ? { adminUrl: `https://${name}.${namespace}.svc` } : {}
  return {
    form: 'embedded',
    directory: directoryOf(flags, terminal),
    host,
    port,
    ...(controllersKubeconfig !== undefined && { controllersKubeconfig: resolve(controllersKubeconfig) }),
    ...adminUrl,
    ...(store !== undefined && { store }),
  }
}

function directoryOf({ dataDir, name }: RunOptions, terminal: Terminal): string {
  return resolve(dataDir ?? tenantDataDirectory(terminal.env, name))
}

async function licenseOf({ license, licenseIssuer }: RunOptions, terminal: Terminal) {
  const issuer = licenseIssuer ?? terminal.env.TENANT_LICENSE_ISSUER
  return {
    ...(license !== undefined && { license: (await readInputText(license, terminal)).text.trim() }),
    ...(issuer && { issuerKey: await readIssuer(issuer, terminal) }),
  }
}

function tellAddresses({ controlPlane }: RunningTenant, terminal: Terminal): void {
  if (controlPlane === undefined) return
  print(terminal, `virtual ${controlPlane.url}\nkubeconfig ${controlPlane.kubeconfig}\n`)
}

async function serveStatus(port: number, { status }: RunningTenant, terminal: Terminal): Promise<() => void> {
  const server = await startStatusServer(port, status)
  print(terminal, `status ${server.url}\n`)
  return server.stop
}
