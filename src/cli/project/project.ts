import { defaultProject } from '../../api/management/default-project.ts'
import { withProject } from '../credentials/changes.ts'
import { changeCredentials } from '../credentials/file.ts'
import type { Session } from '../platform/session.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The project of a command: the one that is named, else the one of the command before. */
export function chooseProject(named: string | undefined, { platform }: Session): string {
  return named ?? platform.project ?? defaultProject
}

/** For the commands that follow, once something has worked there. */
export async function rememberProject(
  project: string,
  { platform }: Pick<Session, 'platform'>,
  terminal: Terminal,
): Promise<void> {
  if (project === platform.project) return
  await changeCredentials(terminal, (before) => withProject(before, platform.name, project))
}
