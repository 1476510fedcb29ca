import { startKubernetes } from '../clusters/kubernetes.ts'
import { findKubernetes } from '../clusters/kubernetes-programs.ts'
import type { SharedKubernetes } from './contract.ts'

export async function startSharedKubernetes() {
  const search = findKubernetes()
  if (search.outcome === 'missing') throw new Error(search.reason)
  const { url, port, token, authority, kubeconfig, remove } = await startKubernetes(search.programs)
  const part: SharedKubernetes = { url, port, token, authority, kubeconfig }
  return { part, stop: remove }
}
