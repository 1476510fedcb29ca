import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { KubeObject } from '../../src/api/object.ts'
import type { KubeClient, ResourceType } from '../../src/client/contract.ts'
import { findKubernetes } from '../support/clusters/kubernetes-programs.ts'
import { askForShared } from '../support/shared/ask-for-shared.ts'
import type { SharedKubernetes } from '../support/shared/contract.ts'
import { clientOf, makeWorkplace, type Run, type RunOptions, type Workplace } from './workplace.ts'

const search = findKubernetes()
if (search.outcome === 'missing' && process.env.CI === 'true') throw new Error(search.reason)

export const hasNoKubernetes = search.outcome === 'missing'

/** A real kube-apiserver for virtual clusters, and `tenant`, run in a new home directory for each test. */
export interface KubernetesHost {
  kubeconfig(): string
  host(): KubeClient
  /** The output of all commands. */
  written(): readonly string[]
  tenant(args: readonly string[], options?: RunOptions): Promise<Run>
  /** Writes a file and returns its path. */
  file(name: string, text: string): string
  /** The same for a tenant.yaml. */
  config(text: string): string
  typeOf(kind: string): Promise<ResourceType>
  get(kind: string, namespace: string, name: string): Promise<KubeObject | undefined>
  namesOf(kind: string, namespace: string): Promise<readonly string[]>
  makeNamespace(name: string): Promise<void>
}

const versions: Readonly<Record<string, string>> = {
  StatefulSet: 'apps/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  Role: 'rbac.authorization.k8s.io/v1',
  RoleBinding: 'rbac.authorization.k8s.io/v1',
  ClusterRole: 'rbac.authorization.k8s.io/v1',
  ClusterRoleBinding: 'rbac.authorization.k8s.io/v1',
}

/** Prepares the host for the suite that calls this. */
export function useKubernetesHost(): KubernetesHost {
  let kubernetes: SharedKubernetes
  let host: KubeClient
  let place: Workplace
  const written: string[] = []
  beforeAll(async () => {
    if (hasNoKubernetes) return
    kubernetes = await askForShared('kubernetes')
    host = await clientOf(kubernetes.kubeconfig)
  })
  afterAll(async () => {
    await host.close()
  })
  beforeEach(() => {
    place = makeWorkplace(kubernetes.kubeconfig)
  })
  afterEach(() => {
    written.push(...place.written)
    place.remove()
  })

  const typeOf = async (kind: string) => {
    const type = await host.served.findKind(versions[kind] ?? 'v1', kind)
    if (type === undefined) throw new Error(`no ${kind}`)
    return type
  }
  return {
    kubeconfig: () => kubernetes.kubeconfig,
    host: () => host,
    written: () => written,
    tenant: (args, options) => place.tenant(args, options),
    file: (name, text) => place.file(name, text),
    config: (text) => place.file('tenant.yaml', text),
    typeOf,
    get: async (kind, namespace, name) => host.get(await typeOf(kind), { namespace, name }).catch(() => undefined),
    namesOf: async (kind, namespace) => {
      const { items } = await host.list(await typeOf(kind), { namespace })
      return items.flatMap(({ metadata }) => metadata.name ?? []).sort()
    },
    makeNamespace: async (name) => {
      await host.create(await typeOf('Namespace'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    },
  }
}
