import { defaultProject } from '../../api/management/default-project.ts'
import { withProject } from '../credentials/changes.ts'
import { changeCredentials } from '../credentials/file.ts'
import type { Session } from '../platform/session.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The project of a command: the named one, otherwise the one used last to create or connect. */
export function chooseProject(named: string | undefined, { platform }: Pick<Session, 'platform'>): string {
  return named ?? platform.project ?? defaultProject
}

/** Remembers the project for later commands, after a change in it. Looking at a project does not choose it. */
export async function rememberProject(
  project: string,
  { platform }: Pick<Session, 'platform'>,
  terminal: Terminal,
): Promise<void> {
  if (project === platform.project) return
  await changeCredentials(terminal, (before) => withProject(before, platform.name, project))
}
