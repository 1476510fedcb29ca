import { withoutPlatform } from '../../credentials/changes.ts'
import { changeCredentials, readCredentials } from '../../credentials/file.ts'
import { selectPlatform } from '../../credentials/select.ts'
import { say } from '../../output/messages.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { forgetKeys } from '../../token/key-file.ts'
import { endOwnKey } from './end-own-key.ts'

/**
 * Forgets the key, and revokes it if no other program has it. Other holders of a key that the user supplied can still
 * use it: only the platform can revoke it.
 */
export async function logout(name: string | undefined, terminal: Terminal): Promise<void> {
  const credentials = await readCredentials(terminal)
  const platform = selectPlatform(credentials, name)
  const { name: gone } = platform
  const left = await changeCredentials(terminal, (before) => withoutPlatform(before, gone))
  await forgetKeys(gone, terminal)
  const isEnded = platform.ownKey !== undefined && (await endOwnKey(platform, terminal))
  const key = isEnded
    ? 'Its key has ended.'
    : 'The key itself still works; to end that: tenant platform keys delete NAME'
  say(terminal, `Logged out of ${gone}. ${key}`)
  if (left.current !== undefined && left.current !== credentials.current) {
    say(terminal, `The current platform is ${left.current}.`)
  }
}
