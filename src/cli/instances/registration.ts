import { ApiError, isRefusal } from '../../api/error.ts'
import { projectNamespace, projectOfNamespace } from '../../auth/scope/request.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { JsonBody } from '../../client/command/api-client.ts'
import type { Session } from '../platform/session.ts'
import { missingProject, stateOfProject } from '../project/missing-project.ts'

export interface RegisteredInstance {
  readonly project: string
  readonly name: string
}

export function instancePath({ path }: Pick<Session, 'path'>, { project, name }: RegisteredInstance): string {
  return `${path}/namespaces/${projectNamespace(project)}/virtualclusterinstances/${encodeURIComponent(name)}`
}

/**
 * Registers a virtual cluster before it links, which reserves its name. It claims the object when it links. Returns
 * true if it was not known before.
 */
export async function registerTenant(
  session: Session,
  { project, name, namespace }: RegisteredInstance & { readonly namespace: string },
): Promise<boolean> {
  await requireProject(session, project)
  const clusterRef = { namespace, virtualCluster: name }
  const body = {
    apiVersion: session.apiVersion,
    kind: 'VirtualClusterInstance',
    metadata: { name },
    spec: { external: true, clusterRef },
  }
  const path = instancePath(session, { project, name })
  try {
    await session.client.ask({ method: 'POST', path: path.slice(0, path.lastIndexOf('/')), body })
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status.reason === 'AlreadyExists') {
      requireSame(await session.client.ask({ path }), body.spec, project)
      return false
    }
    // The namespace of a new project is created when its first virtual cluster links.
    if (error.code !== 404) throw error
    return false
  }
}

/** Undefined: the platform does not know it. */
export async function findInstance(session: Session, registered: RegisteredInstance): Promise<JsonBody | undefined> {
  try {
    return await session.client.ask({ path: instancePath(session, registered) })
  } catch (error) {
    if (isRefusal(error, 404)) return undefined
    throw error
  }
}

/** `--upgrade` creates nothing: for a wrong name or project, the error says where there is one of the name. */
export async function nothingToUpgrade(session: Session, { project, name }: RegisteredInstance): Promise<Error> {
  const elsewhere = await projectsWith(session, name).catch(() => [])
  const hint =
    elsewhere.length === 0
      ? 'create it without --upgrade'
      : `there is one in ${elsewhere.map((each) => `project ${each}`).join(' and ')}: say --project ${elsewhere[0]}`
  return new Error(`there is no virtual cluster ${name} in project ${project} to upgrade; ${hint}`)
}

/** As far as the caller may see. */
async function projectsWith({ client, path }: Session, name: string): Promise<readonly string[]> {
  const query = { fieldSelector: `metadata.name=${name}`, limit: '10' }
  const { items } = await client.ask({ path: `${path}/virtualclusterinstances`, query })
  return (Array.isArray(items) ? items : []).flatMap((item) => {
    const namespace = isJsonObject(item) && isJsonObject(item.metadata) ? item.metadata.namespace : undefined
    return (typeof namespace === 'string' ? projectOfNamespace(namespace) : undefined) ?? []
  })
}

export async function unregisterTenant(session: Session, registered: RegisteredInstance): Promise<void> {
  try {
    await session.client.ask({ method: 'DELETE', path: instancePath(session, registered) })
  } catch (error) {
    if (!isRefusal(error, 404)) throw error
  }
}

/**
 * The same for a virtual cluster whose project comes from a record, which others may have changed: not if it is another
 * one of that name. Returns whether it did, or the platform knows none.
 */
export async function unregisterRecorded(
  session: Session,
  { namespace, ...registered }: RegisteredInstance & { readonly namespace: string },
): Promise<boolean> {
  const found = await findInstance(session, registered)
  if (found === undefined) return true
  const clusterRef = asMembers(asMembers(found.spec).clusterRef)
  if (clusterRef.namespace !== namespace || clusterRef.virtualCluster !== registered.name) return false
  await unregisterTenant(session, registered)
  return true
}

/** A caller without the right to read the project learns about a missing one later. */
export async function requireProject(session: Session, project: string): Promise<void> {
  const state = await stateOfProject(session, project)
  if (state === 'missing') throw await missingProject(session, project)
}

function requireSame(
  { spec }: JsonBody,
  wanted: { readonly clusterRef: Readonly<Record<string, string>> },
  project: string,
): void {
  const found = asMembers(asMembers(spec).clusterRef)
  const { namespace, virtualCluster } = wanted.clusterRef
  if (found.namespace === namespace && found.virtualCluster === virtualCluster) return
  throw new Error(
    `the project ${project} has another virtual cluster ${virtualCluster} (namespace ${String(found.namespace ?? '?')}); choose another name or project`,
  )
}
