import { managementGroup } from '../../api/management/management-kind.ts'
import { systemClock } from '../../base/clock.ts'
import { packageVersion } from '../../base/package-version.ts'
import type { HttpAnswer } from '../../client/answer-body.ts'
import { type ApiClient, createApiClient } from '../../client/command/api-client.ts'
import { createHttpClient } from '../../client/command/http-client.ts'
import { platformEndpoint } from '../../client/connection/platform-endpoint.ts'
import type { Trust } from '../../client/connection/trust.ts'
import type { KnownPlatform, StoredLogins } from '../credentials/contract.ts'
import { readCredentials } from '../credentials/file.ts'
import { warn } from '../output/messages.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { explained } from './failure-text.ts'
import { knownPlatform } from './known-platform.ts'
import { answerTimeoutMs as longestAnswerMs, maxAnswerBytes, maxAllBytes as mostKeptBytes } from './limits.ts'

export interface Session {
  readonly client: ApiClient
  /** A client for the same platform with another key. The caller closes it. */
  withKey(accessKey: string): ApiClient
  readonly platform: KnownPlatform
  readonly credentials: StoredLogins
  /** `/apis/management.<domain>/v1` */
  readonly path: string
  readonly apiVersion: string
}

export interface SessionFlags {
  /** Absent: the current one. */
  readonly platform?: string
}

/** Runs `act` on a platform that the user is logged in to. */
export async function onPlatform<T>(
  { platform: wanted }: SessionFlags,
  terminal: Terminal,
  act: (session: Session) => Promise<T>,
  limits: Pick<ClientOptions, 'maxAllBytes'> = {},
): Promise<T> {
  const { platform, credentials } = await knownPlatform(wanted, terminal)
  const apiVersion = `${managementGroup(platform.domain)}/v1`
  const options = { ...platform, ...limits, url: new URL(platform.url) }
  const withKey = (accessKey: string) => clientFor({ ...options, accessKey }, terminal)
  return withClient(options, terminal, (client) =>
    act({ client, withKey, platform, credentials, apiVersion, path: `/apis/${apiVersion}` }),
  )
}

/** The same for commands that work without a platform if the user is not logged in, unless a platform is named. */
export async function onPlatformIfKnown(
  flags: SessionFlags & { readonly project?: string },
  terminal: Terminal,
  act: (session: Session | undefined) => Promise<void>,
): Promise<void> {
  const isNamed = flags.platform !== undefined || flags.project !== undefined
  const { current } = await readCredentials(terminal)
  return current === undefined && !isNamed ? act(undefined) : onPlatform(flags, terminal, act)
}

export interface ClientOptions {
  readonly url: URL
  readonly trust: Trust
  readonly accessKey: string
  /** The timeout of an answer; absent: as long as people wait. */
  readonly answerTimeoutMs?: number
  /** The limit of all answers together; absent: that of a command that keeps them. */
  readonly maxAllBytes?: number
}

/** Connection failures and refusals become errors that say what to do. */
export async function withClient<T>(
  options: ClientOptions,
  terminal: Terminal,
  act: (client: ApiClient) => Promise<T>,
): Promise<T> {
  const { url, accessKey } = options
  const { env } = terminal
  let serverNowMs: number | undefined
  const client = clientFor(options, terminal, ({ headers }) => {
    const dateMs = Date.parse(headers.date ?? '')
    if (!Number.isNaN(dateMs)) serverNowMs = dateMs
  })
  try {
    return await act(client)
  } catch (error) {
    throw explained(error, { url: url.origin, nowMs: systemClock.now(), serverNowMs, env }, accessKey)
  } finally {
    client.close()
  }
}

function clientFor(
  { url, trust, accessKey, answerTimeoutMs = longestAnswerMs, maxAllBytes = mostKeptBytes }: ClientOptions,
  terminal: Terminal,
  onAnswer: (answer: HttpAnswer) => void = () => {},
): ApiClient {
  const limits = { answerTimeoutMs, maxAnswerBytes, maxAllBytes }
  return createApiClient({
    http: createHttpClient(platformEndpoint({ url, trust }, terminal.env), limits),
    token: accessKey,
    userAgent: `tenant/${packageVersion()}`,
    onWarning: (text) => warn(terminal, text),
    onAnswer,
  })
}
