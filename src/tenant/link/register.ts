import type { ToldLicense } from '../../api/told-license.ts'
import { projectNamespace } from '../../auth/scope/request.ts'
import { asMembers } from '../../base/json/lenient.ts'
import type { ApiClient } from '../../client/command/api-client.ts'
import { managementGroupOf } from '../../client/management-group.ts'
import type { TenantIdentity } from './contract.ts'
import { LinkFailure } from './problem.ts'

export interface Registered {
  /** The path of the virtual cluster's object. */
  readonly path: string
  readonly project: string
  readonly name: string
  /** A new proof, shown only once: it must be stored before it is used. */
  readonly newProof?: string
  /** The platform's license; absent if it has none. */
  readonly license?: ToldLicense
}

export interface WantedRegistration {
  readonly project: string
  readonly name: string
  /** Absent: it has none yet. */
  readonly proof?: string
  /** UID of the object that it must be known by. Absent: any, or a new one. */
  readonly instanceUid?: string | undefined
}

/** The registrant: the virtual cluster itself, or the command that registers it before it runs. */
export type Registrant = Pick<TenantIdentity, 'name' | 'namespace'> &
  Partial<Pick<TenantIdentity, 'serviceUid' | 'version'>>

/** Registers the virtual cluster at the platform, or finds its earlier registration. A dry run changes nothing. */
export async function register(
  client: ApiClient,
  identity: Registrant,
  wanted: WantedRegistration,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<Registered> {
  const group = await managementGroupOf(client)
  const namespace = encodeURIComponent(projectNamespace(wanted.project))
  const instances = `/apis/${group}/v1/namespaces/${namespace}/virtualclusterinstances`
  const answer = await client.ask({
    method: 'POST',
    path: `${instances}/${encodeURIComponent(wanted.name)}/register`,
    ...(dryRun && { query: { dryRun: 'All' } }),
    body: { apiVersion: `${group}/v1`, kind: 'VirtualClusterRegistration', spec: specOf(identity, wanted) },
  })
  const { project, name, proof, license, licenseIssuer } = asMembers(answer.status)
  if (typeof project !== 'string' || typeof name !== 'string') {
    throw platformError('the platform does not say under which name it knows us')
  }
  if (typeof proof === 'string' && !proofForm.test(proof)) {
    throw platformError('the platform issued a proof that cannot be shown to it again')
  }
  return {
    path: `${instances}/${encodeURIComponent(name)}`,
    project,
    name,
    ...(typeof proof === 'string' && { newProof: proof }),
    ...(typeof license === 'string' && { license: toldLicense(license, licenseIssuer) }),
  }
}

/** It is sent as a header. */
const proofForm = /^[\x21-\x7e]{1,1000}$/

function platformError(message: string): LinkFailure {
  return new LinkFailure({ reason: 'PlatformError', message })
}

function toldLicense(document: string, issuer: unknown): ToldLicense {
  return typeof issuer === 'string' ? { document, issuer } : { document }
}

function specOf(
  { serviceUid, namespace, name: virtualCluster, version }: Registrant,
  { proof, instanceUid }: WantedRegistration,
) {
  return {
    serviceUid,
    namespace,
    virtualCluster,
    version,
    ...(proof !== undefined && { proof }),
    ...(instanceUid !== undefined && { instanceUid }),
  }
}
