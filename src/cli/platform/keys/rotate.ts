import { placeText } from '../../../api/managed-secret.ts'
import type { SecretPlace } from '../../../api/types/management.ts'
import type { JsonBody } from '../../../client/command/api-client.ts'
import { withAccessKey } from '../../credentials/changes.ts'
import { changeCredentials } from '../../credentials/file.ts'
import { say } from '../../output/messages.ts'
import { confirmed, createPrompt } from '../../terminal/prompt.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { receivedKey } from '../login/received-key.ts'
import { onPlatform, type Session } from '../session.ts'
import { isKeyInUse } from './key-in-use.ts'
import { keyPath } from './key-path.ts'
import type { RotateOptions } from './options.ts'
import { partsOf, showOnce } from './shown-once.ts'

export function rotate(options: RotateOptions, terminal: Terminal): Promise<void> {
  return onPlatform(options, terminal, async (session) => {
    const path = `${keyPath(session, options.name)}/rotate`
    const { apiVersion } = session
    const asked = { apiVersion, kind: 'AccessKeyRotation', overlapSeconds: options.overlapSeconds }
    const before = await session.client.ask({ method: 'POST', path, query: { dryRun: 'All' }, body: asked })
    const { managedSecrets = [] } = partsOf(before).status
    if (!(await isWanted(managedSecrets, options, terminal))) throw new Error('the key was not rotated')
    // The platform refuses the rotation if a Secret was added meanwhile, because the user has not seen it.
    const after = await session.client.ask({ method: 'POST', path, body: { ...asked, managedSecrets } })
    showOnce(after, options, terminal)
    tellOverlap(after, terminal)
    if (isKeyInUse(before, session)) await keepNewValue(after, session, terminal)
  })
}

/** Shows which Secrets get the new value and asks for confirmation. Without a terminal it only shows them. */
async function isWanted(
  secrets: readonly SecretPlace[],
  { name, yes }: RotateOptions,
  terminal: Terminal,
): Promise<boolean> {
  if (secrets.length === 0) return true
  say(terminal, `The new value of ${name} is written into:`)
  for (const secret of secrets) say(terminal, `  ${placeText(secret)}`)
  const prompt = yes ? undefined : createPrompt(terminal)
  try {
    return prompt === undefined || (await confirmed(prompt, 'Rotate the key?'))
  } finally {
    await prompt?.close()
  }
}

/** A user who rotates the key of the current login stays logged in. */
async function keepNewValue(after: JsonBody, { platform }: Session, terminal: Terminal): Promise<void> {
  const key = receivedKey(partsOf(after).spec.key)
  if (key === undefined) return
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
