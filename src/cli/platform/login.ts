import { systemClock } from '../../base/clock.ts'
import { visible } from '../../base/unseen.ts'
import { UsageError } from '../../base/usage-error.ts'
import { domainOf } from '../../client/management-group.ts'
import { findPlatform, withPlatform } from '../credentials/changes.ts'
import type { Credentials, KnownPlatform } from '../credentials/contract.ts'
import { changeCredentials, credentialsFile, readCredentials } from '../credentials/file.ts'
import { say } from '../output/messages.ts'
import { createPrompt, type Prompt } from '../terminal/prompt.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { readAccessKey } from './access-key-input.ts'
import { establishTrust } from './establish-trust.ts'
import { explained } from './failure-text.ts'
import type { LoginOptions } from './login-options.ts'
import { defaultName, urlText } from './platform-url.ts'
import { askSelf, type Self } from './self.ts'
import { withClient } from './session.ts'

export async function login(options: LoginOptions, terminal: Terminal): Promise<void> {
  const credentials = await readCredentials(terminal)
  const name = nameFor(options, credentials)
  const prompt = createPrompt(terminal)
  try {
    const accessKey = await readAccessKey(options.key, terminal, prompt)
    const trust = await trustFor(options, findPlatform(credentials, name), accessKey, terminal, prompt)
    const { self, domain } = await withClient({ url: options.url, trust, accessKey }, terminal, async (client) => {
      const found = await domainOf(client)
      return { domain: found, self: await askSelf(client, found) }
    })
    const platform: KnownPlatform = { name, url: urlText(options.url), domain, trust, accessKey }
    await changeCredentials(terminal, (before) => withPlatform(before, platform))
    say(terminal, welcome(platform, self))
    say(terminal, `The key is kept in ${credentialsFile(terminal)}`)
  } finally {
    await prompt?.close()
  }
}

/** As it was called before, or as its host is called. A name never moves to another address unasked. */
function nameFor({ url, name }: LoginOptions, credentials: Credentials): string {
  const address = urlText(url)
  const known = credentials.platforms.find((platform) => platform.url === address)
  const chosen = name ?? known?.name ?? defaultName(url)
  const taken = findPlatform(credentials, chosen)
  if (taken === undefined || taken.url === address) return chosen
  throw new UsageError(
    `${chosen} is the platform ${taken.url}; choose another --name, or run: tenant platform logout ${chosen}`,
  )
}

async function trustFor(
  options: LoginOptions,
  known: KnownPlatform | undefined,
  accessKey: string,
  terminal: Terminal,
  prompt: Prompt | undefined,
) {
  try {
    return await establishTrust(options, known?.trust, terminal, prompt)
  } catch (error) {
    const context = { url: options.url.origin, nowMs: systemClock.now(), serverNowMs: undefined, env: terminal.env }
    throw explained(error, context, accessKey)
  }
}

function welcome({ name, url }: KnownPlatform, { username, key }: Self): string {
  const means = key === undefined ? '' : `, with the key ${key.name}`
  return visible(`Logged in to ${name} (${url}) as ${username}${means}.`)
}
