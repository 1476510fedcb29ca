import { projectNamespace, projectOfNamespace } from '../../auth/scope/request.ts'
import { asMembers, asObjects, asText } from '../../base/json/lenient.ts'
import type { JsonBody } from '../../client/command/api-client.ts'
import { listTable, noValue } from '../output/list-table.ts'
import { say } from '../output/messages.ts'
import { print } from '../output/print.ts'
import { printData, qualifiedName, shownWithoutManagedFields } from '../output/print-object.ts'
import { listPages } from '../platform/pages.ts'
import { onPlatform, type Session } from '../platform/session.ts'
import { missingProject, otherProjects, stateOfProject } from '../project/missing-project.ts'
import { chooseProject } from '../project/project.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { ListCommandOptions } from './options.ts'

const kind = 'VirtualClusterInstance'

export function listTenants(options: ListCommandOptions, terminal: Terminal): Promise<void> {
  return onPlatform(options, terminal, async (session) => {
    const project = options.allProjects ? undefined : chooseProject(options.project, session)
    const items = await instances(session, project)
    const isHidden = items.length === 0 && project !== undefined && (await isHiddenProject(session, project))
    switch (options.output) {
      case 'name':
        return void print(terminal, items.map((item) => `${qualifiedName(item)}\n`).join(''))
      case 'json':
      case 'yaml':
        return printData(terminal, options.output, { apiVersion: session.apiVersion, kind: `${kind}List`, items })
      case 'table':
      case 'wide':
        if (isHidden) return say(terminal, `You may not see a project ${project}; ${await otherProjects(session)}.`)
        return printTable(items, options.output, project, terminal)
    }
  })
}

async function instances(session: Session, project: string | undefined): Promise<readonly JsonBody[]> {
  const place = project === undefined ? '' : `namespaces/${projectNamespace(project)}/`
  const pages = await listPages(session, 'application/json', `${place}virtualclusterinstances`)
  const items = pages.flatMap((page) => asObjects(page.items))
  return items.map((item) => ({ apiVersion: session.apiVersion, kind, ...shownWithoutManagedFields(item) }))
}

/** The list of a project that is missing, or that the caller may not read, is empty, too. */
async function isHiddenProject(session: Session, project: string): Promise<boolean> {
  const state = await stateOfProject(session, project)
  if (state === 'missing') throw await missingProject(session, project)
  return state === 'hidden'
}

function printTable(
  items: readonly JsonBody[],
  form: 'table' | 'wide',
  project: string | undefined,
  terminal: Terminal,
): void {
  if (items.length === 0) {
    say(terminal, project === undefined ? 'No virtual clusters found.' : `No virtual clusters in project ${project}.`)
    return
  }
  const headings = [
    'NAME',
    'PROJECT',
    'STATUS',
    'VERSION',
    ...(form === 'wide' ? ['CLUSTER', 'NAMESPACE', 'LAST SEEN'] : []),
  ]
  print(terminal, listTable([headings, ...items.map((item) => rowOf(item, form))]))
}

function rowOf({ metadata, spec, status }: JsonBody, form: 'table' | 'wide'): readonly string[] {
  const { name, namespace } = asMembers(metadata)
  const { online, phase, version, lastHeartbeat } = asMembers(status)
  const { cluster, namespace: hostNamespace } = asMembers(asMembers(spec).clusterRef)
  const state = online === true ? 'Online' : asText(phase) || 'Offline'
  const more =
    form === 'wide'
      ? [asText(cluster) || noValue, asText(hostNamespace) || noValue, asText(lastHeartbeat) || noValue]
      : []
  const project = projectOfNamespace(asText(namespace)) ?? asText(namespace)
  return [asText(name), project, state, asText(asMembers(version).kubernetes) || noValue, ...more]
}
