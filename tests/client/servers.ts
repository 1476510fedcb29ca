import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import type { LocalServer } from '../../src/client/local/contract.ts'
import { startTestServer } from '../support/clusters/api-server.ts'
import { startEmbeddedCluster } from '../support/clusters/embedded-cluster.ts'
import { startKubernetes } from '../support/clusters/kubernetes.ts'
import { findKubernetes, type KubernetesPrograms } from '../support/clusters/kubernetes-programs.ts'
import type { RunningCluster } from '../support/clusters/running-cluster.ts'
import { askForShared } from '../support/shared/ask-for-shared.ts'
import type { SharedKubernetes } from '../support/shared/contract.ts'

/** A shared server: tests use their own namespaces. */
export interface UsedServer extends SharedKubernetes {
  /** Set if it is part of this process. */
  readonly local?: LocalServer
  remove(): Promise<void>
}

type Suite<Server> = (start: () => Promise<Server>, name: string) => void

/**
 * Runs a suite against our own server, with and without a connection, and against a real kube-apiserver. In CI a
 * missing one is a failure.
 */
export function describeEachServer(suite: Suite<UsedServer>): void {
  describe('with a server of this process', () => suite(startLocalServer, 'embedded'))
  describeEach(suite, async () => ({ ...(await askForShared('kubernetes')), remove: async () => {} }))
}

/** The same with servers that may be killed. */
export function describeEachOwnServer(suite: Suite<RunningCluster>): void {
  describeEach(suite, (programs) => startKubernetes(programs))
}

function describeEach<Server extends UsedServer>(
  suite: Suite<Server | RunningCluster>,
  startReal: (programs: KubernetesPrograms) => Promise<Server>,
): void {
  describe('with the embedded server', () => suite(() => startEmbeddedCluster(), 'embedded'))
  const search = findKubernetes()
  if (search.outcome === 'found') {
    const { programs } = search
    describe('with kube-apiserver', () => suite(() => startReal(programs), 'kubernetes'))
    return
  }
  if (process.env.CI === 'true') throw new Error(search.reason)
  describe.skip(`with kube-apiserver (${search.reason})`, () => suite(startNothing, 'kubernetes'))
}

async function startLocalServer(): Promise<UsedServer> {
  const server = await startTestServer({ kinds: builtinKinds() })
  const { url, port, authority, directory } = server
  const kubeconfig = join(directory, 'kubeconfig')
  writeFileSync(kubeconfig, server.kubeconfig())
  const { local } = server.engine.server
  return { url, port, authority, kubeconfig, token: 'admin-token', local, remove: () => server.stop() }
}

function startNothing(): Promise<RunningCluster> {
  throw new Error('there is no kube-apiserver')
}
