import { ApiError, isRefusal } from '../../api/error.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { findInstance } from '../instances/registration.ts'
import { say, warn } from '../output/messages.ts'
import { print } from '../output/print.ts'
import { shellQuoted } from '../output/shell-word.ts'
import { onPlatform, type Session } from '../platform/session.ts'
import { missingVirtualCluster } from '../project/missing-project.ts'
import { chooseProject, rememberProject } from '../project/project.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type KubeconfigEntry, platformEntry } from './entry.ts'
import { editKubeconfig, kubeconfigFile } from './kubeconfig-file.ts'
import { kubeconfigOf, withEntry } from './kubeconfig-text.ts'
import type { ConnectOptions } from './options.ts'
import { ownProgram } from './own-program.ts'
import { pluginUser } from './plugin-user.ts'
import { runWithKubeconfig } from './run-command.ts'

export async function connect(options: ConnectOptions, terminal: Terminal): Promise<void> {
  const entry = await onPlatform(options, terminal, async (session) => {
    const project = chooseProject(options.project, session)
    await requireInstance(session, project, options.name, terminal)
    if (switchesContext(options)) await rememberProject(project, session, terminal)
    return platformEntry(
      session.platform,
      { project, name: options.name },
      await userFor(session, project, options, terminal),
    )
  })
  if (options.print) return void print(terminal, kubeconfigOf(entry))
  if (options.command.length > 0) return runWithKubeconfig(options.command, kubeconfigOf(entry), terminal)
  const file = await kubeconfigFile(options.kubeconfig, terminal)
  await editKubeconfig(file, (text) => withEntry(text, entry))
  say(terminal, `kubectl now talks to ${options.name} (context ${entry.name} in ${file}).`)
  const chosen = options.kubeconfig === undefined ? '' : ` --kubeconfig ${shellQuoted(options.kubeconfig)}`
  say(terminal, `Go back with: tenant disconnect${chosen}`)
}

async function userFor(
  { platform }: Session,
  project: string,
  { name, staticKey, keyTtlSeconds }: ConnectOptions,
  terminal: Terminal,
): Promise<KubeconfigEntry['user']> {
  if (staticKey) return { token: platform.accessKey }
  const program = await ownProgram(process, terminal.env)
  return pluginUser({ program, platform: platform.name, project, name, keyTtlSeconds, env: terminal.env })
}

function switchesContext({ print, command }: ConnectOptions): boolean {
  return !print && command.length === 0
}

/** A key that may use the virtual cluster but not read it asks the virtual cluster itself. */
async function requireInstance(session: Session, project: string, name: string, terminal: Terminal): Promise<void> {
  const instance = await findInstance(session, { project, name }).catch((error: unknown) => {
    if (isRefusal(error, 403)) return 'hidden' as const
    throw error
  })
  if (instance === 'hidden') return requireUsable(session, project, name)
  if (instance === undefined) throw await missingVirtualCluster(session, project, name)
  const { online } = asMembers(instance.status)
  if (online !== true) warn(terminal, `${name} is not linked to the platform at the moment`)
}

/** A refusal is final; a virtual cluster that is unavailable now may return. */
async function requireUsable(session: Session, project: string, name: string): Promise<void> {
  const path = `/kubernetes/project/${encodeURIComponent(project)}/virtualcluster/${encodeURIComponent(name)}/version`
  await session.client.ask({ path }).catch(async (error: unknown) => {
    if (isRefusal(error, 404)) throw await missingVirtualCluster(session, project, name)
    if (!(error instanceof ApiError) || error.code < 500) throw error
  })
}
