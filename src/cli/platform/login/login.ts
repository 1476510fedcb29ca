import { systemClock } from '../../../base/clock.ts'
import { systemRandom } from '../../../base/random.ts'
import { visible } from '../../../base/unseen.ts'
import { UsageError } from '../../../base/usage-error.ts'
import type { Trust } from '../../../client/connection/trust.ts'
import { domainOf } from '../../../client/management-group.ts'
import { given } from '../../arguments/given.ts'
import { findPlatform, withPlatform } from '../../credentials/changes.ts'
import type { KnownPlatform, StoredLogins } from '../../credentials/contract.ts'
import { changeCredentials, credentialsFile, readCredentials } from '../../credentials/file.ts'
import { say } from '../../output/messages.ts'
import { createPrompt, type Prompt } from '../../terminal/prompt.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { forgetKeys } from '../../token/key-file.ts'
import { explained } from '../failure-text.ts'
import { defaultName, urlText } from '../platform-url.ts'
import { askSelf, type Self } from '../self.ts'
import { withClient } from '../session.ts'
import { readAccessKey } from './access-key-input.ts'
import { browserLogin, hasSignOn } from './browser-login.ts'
import { deviceLogin } from './device-login.ts'
import { endOwnKey } from './end-own-key.ts'
import { establishTrust } from './establish-trust.ts'
import { exchangeLogin, readExchangeToken } from './exchange-login.ts'
import type { LoginOptions } from './login-options.ts'

export async function login(options: LoginOptions, terminal: Terminal): Promise<void> {
  const credentials = await readCredentials(terminal)
  const name = nameFor(options, credentials)
  const prompt = createPrompt(terminal)
  try {
    const known = findPlatform(credentials, name)
    const { accessKey, trust, isOwn = false } = await waysIn[options.key.from](options, known, terminal, prompt)
    const { self, domain } = await withClient({ url: options.url, trust, accessKey }, terminal, async (client) => {
      const found = await domainOf(client)
      return { domain: found, self: await askSelf(client, found) }
    })
    const ownKey = isOwn ? self.key?.name : undefined
    const platform: KnownPlatform = { name, url: urlText(options.url), domain, trust, accessKey, ...given({ ownKey }) }
    await changeCredentials(terminal, (before) => withPlatform(before, platform))
    if (known?.ownKey !== undefined && known.accessKey !== accessKey) await endOwnKey(known, terminal)
    await forgetKeys(name, terminal)
    say(terminal, welcome(platform, self))
    say(terminal, `The key is kept in ${credentialsFile(terminal)}`)
  } finally {
    await prompt?.close()
  }
}

interface Obtained {
  readonly accessKey: string
  readonly trust: Trust
  /** Whether a sign-in has just created the key for this command. */
  readonly isOwn?: boolean
}

type WayIn = (
  options: LoginOptions,
  known: KnownPlatform | undefined,
  terminal: Terminal,
  prompt: Prompt | undefined,
) => Promise<Obtained>

const waysIn: Readonly<Record<LoginOptions['key']['from'], WayIn>> = {
  flag: byKey,
  environment: byKey,
  stdin: byKey,
  prompt: byKey,
  browser: byBrowser,
  device: byDevice,
  exchange: byExchange,
}

async function byKey(
  options: LoginOptions,
  known: KnownPlatform | undefined,
  terminal: Terminal,
  prompt: Prompt | undefined,
): Promise<Obtained> {
  const accessKey = await readAccessKey(options.key, terminal, prompt)
  return { accessKey, trust: await trustFor(options, known, accessKey, terminal, prompt) }
}

/** Without an identity provider, or a user at a terminal, a key is required. */
async function byBrowser(
  options: LoginOptions,
  known: KnownPlatform | undefined,
  terminal: Terminal,
  prompt: Prompt | undefined,
): Promise<Obtained> {
  if (terminal.stderr.isTTY !== true) return byKey(options, known, terminal, prompt)
  const trust = await trustFor(options, known, '', terminal, prompt)
  if (!(await hasSignOn({ url: options.url, trust }, terminal))) {
    return { trust, accessKey: await readAccessKey(options.key, terminal, prompt) }
  }
  const accessKey = await browserLogin({ url: options.url, trust, random: systemRandom }, terminal)
  return { trust, accessKey, isOwn: true }
}

async function byDevice(
  options: LoginOptions,
  known: KnownPlatform | undefined,
  terminal: Terminal,
  prompt: Prompt | undefined,
): Promise<Obtained> {
  const trust = await trustFor(options, known, '', terminal, prompt)
  if (await hasSignOn({ url: options.url, trust }, terminal)) {
    const accessKey = await deviceLogin({ url: options.url, trust, random: systemRandom }, terminal)
    return { trust, accessKey, isOwn: true }
  }
  throw new UsageError(`${options.url.origin} has no identity provider to sign in with: log in with --access-key-stdin`)
}

/** The key expires, and this command must not revoke it: it may be in use elsewhere. */
async function byExchange(
  options: LoginOptions,
  known: KnownPlatform | undefined,
  terminal: Terminal,
  prompt: Prompt | undefined,
): Promise<Obtained> {
  const token = await readExchangeToken(options.key, terminal)
  const trust = await trustFor(options, known, '', terminal, prompt)
  return { trust, accessKey: await exchangeLogin({ url: options.url, trust }, token, terminal) }
}

/** Its previous name, or the name of its host. A name never moves to another address implicitly. */
function nameFor({ url, name }: LoginOptions, credentials: StoredLogins): string {
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
  const end = key?.expiresAt === undefined ? '' : `, which ends at ${key.expiresAt}`
  const means = key === undefined ? '' : `, with the key ${key.name}${end}`
  return visible(`Logged in to ${name} (${url}) as ${username}${means}.`)
}
