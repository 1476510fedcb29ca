import { isRefusal } from '../../api/error.ts'
import { asMembers, asObjects, asText } from '../../base/json/lenient.ts'
import { visible } from '../../base/unseen.ts'
import type { Session } from '../platform/session.ts'

const mostNamed = 10

/** `hidden`: the caller may not read it, whether it exists or not. */
export type ProjectState = 'there' | 'missing' | 'hidden'

export async function stateOfProject({ client, path }: Session, project: string): Promise<ProjectState> {
  try {
    await client.ask({ path: `${path}/projects/${encodeURIComponent(project)}` })
    return 'there'
  } catch (error) {
    if (isRefusal(error, 404)) return 'missing'
    if (isRefusal(error, 403)) return 'hidden'
    throw error
  }
}

export async function missingProject(session: Session, project: string): Promise<Error> {
  return new Error(`there is no project ${project}; ${await otherProjects(session)}`)
}

/** Which projects the caller could have meant; if it sees none, who can change that. */
export async function otherProjects(session: Session): Promise<string> {
  const names = await seenProjects(session)
  if (names.length === 0) return 'an administrator of the platform can make you a member of one (its spec.members)'
  const more = names.length > mostNamed ? ' and more' : ''
  return `choose one that you see with --project: ${visible(names.slice(0, mostNamed).join(', '))}${more}`
}

async function seenProjects({ client, path }: Session): Promise<readonly string[]> {
  try {
    const { items } = await client.ask({ path: `${path}/projects`, query: { limit: String(mostNamed + 1) } })
    return asObjects(items).map(({ metadata }) => asText(asMembers(metadata).name))
  } catch (error) {
    if (isRefusal(error, 403)) return []
    throw error
  }
}

/** The error for a virtual cluster that does not exist, or whose project does not. */
export async function missingVirtualCluster(session: Session, project: string, name: string): Promise<Error> {
  const state = await stateOfProject(session, project)
  if (state === 'missing') return missingProject(session, project)
  return new Error(`there is no virtual cluster ${name} in project ${project}; see: tenant list -p ${project}`)
}
