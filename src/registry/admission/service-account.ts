import { mirrorAnnotation } from '../../api/core/nodes/kubelet.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Pod, ServiceAccount } from '../../api/types/core-v1.ts'
import type { ResourceContext } from '../context.ts'
import { generatedName } from '../generated-name.ts'
import { secretProblem } from './allowed-secrets.ts'
import { appearing } from './appearing.ts'
import type { Admission } from './contract.ts'
import { podForbidden, podPlugin, withSpec } from './pods.ts'
import { tokenVolumePrefix, withTokenVolume } from './token-volume.ts'

/** A new namespace gets its `default` account shortly after its creation. */
const patienceMs = 2_000

/** A new pod runs as an existing service account, and its token is mounted where clients expect it. */
export const serviceAccountPlugin = podPlugin({
  name: 'ServiceAccount',
  mutate: async (pod, admission, old) => {
    if (old !== undefined || isMirror(pod)) return pod
    const name = pod.spec.serviceAccountName ?? 'default'
    const account = await accountOf(pod, name, admission)
    const named = withSpec(pod, { serviceAccountName: name, serviceAccount: name })
    const pulling = withPullSecrets(named, account)
    if (!mountsToken(pod, account)) return pulling
    return withTokenVolume(pulling, generatedName(tokenVolumePrefix, admission.engine.random))
  },
  inspect: (pod, { engine }, old) => {
    if (old !== undefined) return
    const { serviceAccountName: name = '' } = pod.spec
    if (isMirror(pod) && name !== '') throw podForbidden(pod, 'a mirror pod may not reference service accounts')
    const { namespace = '' } = pod.metadata
    const account = engine.find('', 'ServiceAccount')?.cache.get({ namespace, name })?.object
    const problem = account && secretProblem(pod, account as ServiceAccount)
    if (problem !== undefined) throw podForbidden(pod, problem)
  },
})

/** Mirror pods, which a kubelet creates for its static pods, have no account. */
function isMirror({ metadata }: Pod): boolean {
  return metadata.annotations?.[mirrorAnnotation] !== undefined
}

async function accountOf(pod: Pod, name: string, { engine, request }: Admission): Promise<ServiceAccount> {
  const { namespace = '' } = pod.metadata
  const accounts = engine.find('', 'ServiceAccount')
  const found = accounts && (await lookUp(accounts, { namespace, name }, request.signal))
  if (found !== undefined) return found as ServiceAccount
  const missing = `serviceaccount "${name}" not found`
  throw podForbidden(pod, `error looking up service account ${namespace}/${name}: ${missing}`)
}

async function lookUp(
  accounts: ResourceContext,
  id: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const found = accounts.cache.get(id) ?? (id.name === 'default' && (await appearing(accounts, id, patienceMs, signal)))
  return found ? found.object : undefined
}

function withPullSecrets(pod: Pod, { imagePullSecrets = [] }: ServiceAccount): Pod {
  if ((pod.spec.imagePullSecrets ?? []).length > 0 || imagePullSecrets.length === 0) return pod
  return withSpec(pod, { imagePullSecrets })
}

function mountsToken({ spec }: Pod, account: ServiceAccount): boolean {
  return spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true
}
