import { ApiError } from '../../api/error.ts'
import { identitySecretName } from '../../api/link.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { JsonBody } from '../../client/command/api-client.ts'
import type { KubeClient } from '../../client/contract.ts'
import { IdentitySecret } from '../../tenant/identity-secret.ts'
import type { KeptProof } from '../../tenant/link/contract.ts'
import { register } from '../../tenant/link/register.ts'
import { findInstance, type RegisteredInstance } from '../instances/registration.ts'
import type { Session } from '../platform/session.ts'
import type { TenantDeployment } from './manifests/contract.ts'

type Named = Pick<TenantDeployment, 'name' | 'namespace'>

/** The proof that a virtual cluster keeps on its host; undefined if it has none yet. */
export function keptProof(host: KubeClient, tenant: Named, signal?: AbortSignal): Promise<KeptProof | undefined> {
  return identitySecretOf(host, tenant, signal).read()
}

export interface ProofOrder extends RegisteredInstance {
  readonly accessKey: string
  /** Absent: the platform need not know it yet. */
  readonly instanceUid?: string | undefined
}

/**
 * Registers a virtual cluster before it runs, with the key that was made for it, and stores its proof where it looks
 * for one, so that no other can register under its name first. A refusal is ignored: the virtual cluster will be
 * refused as well, and reports it.
 */
export async function ensureProof(
  host: KubeClient,
  tenant: Named,
  session: Session,
  { project, name, accessKey, instanceUid }: ProofOrder,
): Promise<void> {
  const secret = identitySecretOf(host, tenant)
  if ((await secret.read()) !== undefined) return
  const client = session.withKey(accessKey)
  const wanted = { project, name, instanceUid }
  try {
    const { newProof, ...registered } = await register(client, tenant, wanted)
    if (newProof === undefined) return
    const { proof } = await secret.keep({ project: registered.project, name: registered.name, proof: newProof })
    await register(client, tenant, { ...wanted, proof })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  } finally {
    client.close()
  }
}

/**
 * The reason why the platform would refuse the virtual cluster: it lacks the proof that the platform knows. Undefined:
 * it would not refuse.
 */
export async function lostProof(
  session: Session,
  host: KubeClient,
  tenant: Named,
  { project, name }: RegisteredInstance,
): Promise<string | undefined> {
  const instance = await findInstance(session, { project, name })
  if (instance === undefined || !isProven(instance)) return undefined
  if ((await keptProof(host, tenant)) !== undefined) return undefined
  return (
    `the platform knows ${name} of project ${project} by a proof that is not in the Secret ` +
    `${identitySecretName(tenant.name)} of namespace ${tenant.namespace}. If it is the same virtual cluster, let it have ` +
    `a new one: tenant platform reissue ${name} --project ${project}. If the other one no longer exists, delete its ` +
    'VirtualClusterInstance first'
  )
}

function isProven({ status }: JsonBody): boolean {
  const conditions = isJsonObject(status) && Array.isArray(status.conditions) ? status.conditions : []
  return conditions.some((each) => isJsonObject(each) && each.type === 'Proven' && each.status === 'True')
}

function identitySecretOf(host: KubeClient, { name, namespace }: Named, signal?: AbortSignal): IdentitySecret {
  const identity = { tenant: name, hostNamespace: namespace }
  return new IdentitySecret(host, identity, signal ?? new AbortController().signal)
}
