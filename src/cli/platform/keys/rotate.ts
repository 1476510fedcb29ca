import type { JsonBody } from '../../../client/command/api-client.ts'
import { withAccessKey } from '../../credentials/changes.ts'
import { changeCredentials } from '../../credentials/file.ts'
import { say } from '../../output/messages.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { onPlatform, type Session } from '../session.ts'
import { isKeyInUse } from './key-in-use.ts'
import { keyPath } from './key-path.ts'
import type { RotateOptions } from './options.ts'
import { partsOf, showOnce } from './shown-once.ts'

export function rotate(options: RotateOptions, terminal: Terminal): Promise<void> {
  return onPlatform(options, terminal, async (session) => {
    const path = keyPath(session, options.name)
    const before = await session.client.ask({ path })
    const after = await session.client.ask({
      method: 'POST',
      path: `${path}/rotate`,
      body: {
        apiVersion: session.apiVersion,
        kind: 'AccessKeyRotation',
        overlapSeconds: options.overlapSeconds,
      },
    })
    showOnce(after, options, terminal)
    tellOverlap(after, terminal)
    if (isKeyInUse(before, session)) await keepNewValue(after, session, terminal)
  })
}

/** Whoever rotates the key they are logged in with stays logged in. */
async function keepNewValue(after: JsonBody, { platform }: Session, terminal: Terminal): Promise<void> {
  const { key = '' } = partsOf(after).spec
  if (key === '') return
  await changeCredentials(terminal, (before) => withAccessKey(before, platform.name, key))
  say(terminal, 'You were logged in with the old value; from now on you are with the new one.')
}

function tellOverlap(after: JsonBody, terminal: Terminal): void {
  const until = partsOf(after).status.rotation?.previousValidUntil
  say(
    terminal,
    typeof until === 'string' ? `The old value works until ${until}.` : 'The old value is refused from now on.',
  )
}
