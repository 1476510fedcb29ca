import { say } from '../../output/messages.ts'
import { print } from '../../output/print.ts'
import { printObject, qualifiedName } from '../../output/print-object.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { onPlatform } from '../session.ts'
import { forEachKey } from './for-each-key.ts'
import { isKeyInUse } from './key-in-use.ts'
import { keyPath } from './key-path.ts'
import type { StateOptions } from './options.ts'

export function setState({ names, disabled, output, ...flags }: StateOptions, terminal: Terminal): Promise<void> {
  return onPlatform(flags, terminal, async (session) => {
    await forEachKey(names, terminal, async (name) => {
      const key = await session.client.ask({
        method: 'PATCH',
        path: keyPath(session, name),
        contentType: 'application/merge-patch+json',
        body: { spec: { disabled } },
      })
      if (output === 'name') print(terminal, `${qualifiedName(key)}\n`)
      else if (output === 'json' || output === 'yaml') printObject(terminal, output, key)
      else print(terminal, `${name} ${disabled ? 'disabled' : 'enabled'}\n`)
      if (disabled && isKeyInUse(key, session))
        say(terminal, `You are logged in with ${name}: it is refused from now on.`)
    })
  })
}
