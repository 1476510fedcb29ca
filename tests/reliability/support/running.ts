import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { type Etcd, startEtcd } from '../../support/stores/etcd.ts'
import { ApiClient } from './api-client.ts'
import { rememberKeys, restoreKeys } from './keys.ts'
import { type ServerProcess, type ServerProcessOptions, startServerProcess } from './server-process.ts'

/** A server and a way to talk to it. */
export interface Running {
  readonly server: ServerProcess
  readonly client: ApiClient
  stop(): Promise<void>
}

export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-reliability-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** A directory with certificates and keys, for servers that must accept the same token. */
export async function keysDirectory(): Promise<string> {
  const directory = await temporaryDirectory()
  restoreKeys(directory)
  return directory
}

/** A new embedded store, for one server at a time. */
export async function embeddedStore(): Promise<ServerProcessOptions> {
  return { store: `file:${join(await temporaryDirectory(), 'store')}`, directory: await keysDirectory() }
}

export async function running(options: ServerProcessOptions, connections?: number): Promise<Running> {
  const started = await startRunning(options, connections)
  onTestFinished(() => started.stop())
  return started
}

/** Resolves when the controllers have written the ConfigMap that every namespace gets: watchers see no more of them. */
export function untilFurnished(client: ApiClient): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps/kube-root-ca.crt'
  return eventually(async () => void (await client.must('GET', path)))
}

export async function runningEtcd(): Promise<Etcd> {
  const etcd = await startEtcd()
  onTestFinished(() => etcd.remove())
  return etcd
}

export async function twoReplicas(etcd: Etcd, connections?: number): Promise<readonly [Running, Running]> {
  const replicas = await startTwoReplicas(etcd, await keysDirectory(), connections)
  onTestFinished(async () => {
    for (const replica of replicas) await replica.stop()
  })
  return replicas
}

/** One after the other: the first one creates the certificates and keys that both use. */
export async function startTwoReplicas(
  etcd: Etcd,
  directory: string,
  connections?: number,
): Promise<readonly [Running, Running]> {
  const options = { store: `etcd:${etcd.endpoint}`, directory }
  return [await startRunning(options, connections), await startRunning(options, connections)]
}

async function startRunning(options: ServerProcessOptions, connections?: number): Promise<Running> {
  const server = await startServerProcess(options)
  rememberKeys(options.directory)
  const client = new ApiClient(server, connections)
  const stop = async () => {
    await client.close()
    await server.kill()
  }
  return { server, client, stop }
}
