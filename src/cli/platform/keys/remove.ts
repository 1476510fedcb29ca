import { say } from '../../output/messages.ts'
import { print } from '../../output/print.ts'
import { confirmed, createPrompt, type Prompt } from '../../terminal/prompt.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { onPlatform, type Session } from '../session.ts'
import { forEachKey } from './for-each-key.ts'
import { isKeyInUse } from './key-in-use.ts'
import { keyPath } from './key-path.ts'
import type { KeyDeleteOptions } from './options.ts'

export async function remove({ names, yes, output, ...flags }: KeyDeleteOptions, terminal: Terminal): Promise<void> {
  const prompt = yes ? undefined : createPrompt(terminal)
  try {
    await onPlatform(flags, terminal, async (session) => {
      await forEachKey(names, terminal, async (name) => {
        if (prompt !== undefined && !(await isWanted(name, session, prompt))) {
          say(terminal, `${name} was kept.`)
          return
        }
        await session.client.ask({ method: 'DELETE', path: keyPath(session, name) })
        const told =
          output === 'name' ? `ownedaccesskey.${session.apiVersion.replace(/\/.*$/, '')}/${name}` : `${name} deleted`
        print(terminal, `${told}\n`)
      })
    })
  } finally {
    await prompt?.close()
  }
}

async function isWanted(name: string, session: Session, prompt: Prompt): Promise<boolean> {
  const key = await session.client.ask({ path: keyPath(session, name) })
  const own = isKeyInUse(key, session) ? ' It is the one you are logged in with.' : ''
  return confirmed(prompt, `Delete the access key ${name}? Clients that use it are refused at once.${own}`)
}
