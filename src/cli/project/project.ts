import { withProject } from '../credentials/changes.ts'
import { writeCredentials } from '../credentials/file.ts'
import type { Session } from '../platform/session.ts'
import type { Terminal } from '../terminal.ts'

const usualProject = 'default'

/** The project of a command: the one that is named, else the one of the command before. */
export async function chooseProject(
  named: string | undefined,
  { platform, credentials }: Session,
  terminal: Terminal,
): Promise<string> {
  if (named === undefined) return platform.project ?? usualProject
  if (named !== platform.project) await writeCredentials(terminal, withProject(credentials, platform.name, named))
  return named
}
