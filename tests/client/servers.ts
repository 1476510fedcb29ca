import { describe } from 'vitest'
import { startEmbeddedCluster } from '../support/embedded-cluster.ts'
import { startKubernetes } from '../support/kubernetes.ts'
import { findKubernetes } from '../support/kubernetes-programs.ts'
import type { RunningCluster } from '../support/running-cluster.ts'

/** Runs a suite against our own server and against a real kube-apiserver. In CI one that is missing is a failure. */
export function describeEachServer(suite: (start: () => Promise<RunningCluster>, name: string) => void): void {
  describe('with the embedded server', () => suite(() => startEmbeddedCluster(), 'embedded'))
  const search = findKubernetes()
  if (search.outcome === 'found') {
    const { programs } = search
    describe('with kube-apiserver', () => suite(() => startKubernetes(programs), 'kubernetes'))
    return
  }
  if (process.env.CI === 'true') throw new Error(search.reason)
  describe.skip(`with kube-apiserver (${search.reason})`, () => suite(startNothing, 'kubernetes'))
}

function startNothing(): Promise<RunningCluster> {
  throw new Error('there is no kube-apiserver')
}
