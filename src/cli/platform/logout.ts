import { withoutPlatform } from '../credentials/changes.ts'
import { changeCredentials, readCredentials } from '../credentials/file.ts'
import { selectPlatform } from '../credentials/select.ts'
import { say } from '../output/messages.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Forgets the key. Other holders can still use it: only the platform can revoke it. */
export async function logout(name: string | undefined, terminal: Terminal): Promise<void> {
  const credentials = await readCredentials(terminal)
  const { name: gone } = selectPlatform(credentials, name)
  const left = await changeCredentials(terminal, (before) => withoutPlatform(before, gone))
  say(terminal, `Logged out of ${gone}. The key itself still works; to end that: tenant platform keys delete NAME`)
  if (left.current !== undefined && left.current !== credentials.current) {
    say(terminal, `The current platform is ${left.current}.`)
  }
}
