import { defaultProject } from '../../api/management/default-project.ts'
import { withProject } from '../credentials/changes.ts'
import { changeCredentials } from '../credentials/file.ts'
import type { Session } from '../platform/session.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The project of a command: the one that is named, else the one in which something was last made or connected to. */
export function chooseProject(named: string | undefined, { platform }: Pick<Session, 'platform'>): string {
  return named ?? platform.project ?? defaultProject
}

/** For the commands that follow, once something was changed there. Looking at a project is no choice of it. */
export async function rememberProject(
  project: string,
  { platform }: Pick<Session, 'platform'>,
  terminal: Terminal,
): Promise<void> {
  if (project === platform.project) return
  await changeCredentials(terminal, (before) => withProject(before, platform.name, project))
}
