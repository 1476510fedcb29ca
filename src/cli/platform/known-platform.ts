import type { KnownPlatform, StoredLogins } from '../credentials/contract.ts'
import { readCredentials } from '../credentials/file.ts'
import { selectPlatform } from '../credentials/select.ts'
import { howToLogIn } from '../local-platforms/how-to-log-in.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The platform of a command, and all that the user is logged in to. */
export async function knownPlatform(
  wanted: string | undefined,
  terminal: Terminal,
): Promise<{ readonly platform: KnownPlatform; readonly credentials: StoredLogins }> {
  const credentials = await readCredentials(terminal)
  if (credentials.platforms.length === 0) {
    throw new Error(`you are not logged in to any platform; run: ${await howToLogIn(terminal)}`)
  }
  return { platform: selectPlatform(credentials, wanted), credentials }
}
