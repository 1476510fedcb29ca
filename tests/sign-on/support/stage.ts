import { type Clock, systemClock } from '../../../src/base/clock.ts'
import type { KeySettings } from '../../../src/platform/access-keys/parts.ts'
import type { QuotaSettings } from '../../../src/platform/quotas/quota-settings.ts'
import type { Store } from '../../../src/storage/contract.ts'
import { management, startPlatform, type TestPlatform } from '../../platform/platform.ts'
import { patientAgent } from '../../support/network/patient-agent.ts'
import { challenge, TestBrowser, type Visited, verifier } from './browser.ts'
import { clientSecret, ScriptedIssuer } from './scripted-issuer.ts'

export interface Stage {
  readonly platform: TestPlatform
  readonly issuer: ScriptedIssuer
  browser(): TestBrowser
  /** A connector to the issuer. */
  connect(name: string, spec?: object, oidc?: object): Promise<void>
  /** A new browser signs in through a connector, and exchanges the code for a session. */
  signIn(connector: string): Promise<SignedIn>
  stop(): Promise<void>
}

export interface SignedIn {
  readonly browser: TestBrowser
  /** The answer to the callback. */
  readonly callback: Visited
  readonly session: Visited
  /** The headers of requests that the page sends. */
  readonly headers: Readonly<Record<string, string>>
}

export const loginPath = (connector: string, more = '') =>
  `/auth/login?connector=${connector}&challenge=${challenge}${more}`

export function codeOf({ location }: Visited): string {
  return /#sign-on=([\w-]+)$/.exec(location)?.[1] ?? ''
}

export interface StageOptions {
  readonly oidcIssuer?: string
  readonly quotas?: Partial<QuotaSettings>
  readonly store?: Store
  readonly clock?: Clock
}

/** A platform and a separate provider. */
export async function openStage(
  settings: Partial<KeySettings> = {},
  { store, clock = systemClock, ...more }: StageOptions = {},
): Promise<Stage> {
  const own = store === undefined ? {} : { store }
  const [platform, issuer] = await Promise.all([
    startPlatform({ ...own, clock, platform: { domain: 'platform.internal', settings, ...more } }),
    ScriptedIssuer.start(),
  ])
  const agent = patientAgent({ ca: [platform.server.authority, issuer.authority] })
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'sso' }, stringData: { clientSecret } }
  await platform.must('POST', '/api/v1/namespaces', { metadata: { name: 'tenant-platform' } })
  await platform.must('POST', '/api/v1/namespaces/tenant-platform/secrets', secret)
  const browser = () => new TestBrowser(platform.server.url, agent)
  return {
    platform,
    issuer,
    browser,
    connect: async (name, spec = {}, oidc = {}) => {
      const settings = {
        issuer: issuer.url,
        clientId: 'platform',
        clientSecretRef: { name: 'sso' },
        caBundle: issuer.authority,
        ...oidc,
      }
      await platform.must('POST', `${management}/connectors`, {
        metadata: { name },
        spec: { type: 'oidc', oidc: settings, ...spec },
      })
    },
    signIn: async (connector) => {
      const opened = browser()
      const callback = await opened.signIn(loginPath(connector))
      const session = await opened.post('/auth/session', { code: codeOf(callback), verifier })
      const counterpart = session.status === 200 ? JSON.parse(session.text).counterpart : ''
      return { browser: opened, callback, session, headers: { 'tenant-session': counterpart } }
    },
    stop: async () => {
      await agent.close()
      await platform.stop()
      await issuer.stop()
    },
  }
}
