import type { Browser } from 'playwright-core'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { keysPath, management, startPlatform, type TestPlatform } from '../platform/platform.ts'
import { makeSigningPair } from '../sign-on/support/saml-issuer.ts'
import { patientAgent } from '../support/network/patient-agent.ts'
import { type Lemonldap, missingLemonldap, openLemonldap } from '../support/providers/lemonldap.ts'
import { noBrowser, openBrowser, visit } from './support/browser.ts'

const missing = noBrowser ?? missingLemonldap()
/** Contains characters that only some providers decode. The provider keeps it in its own file. */
const clientSecret = 'the-secret_of.the-platform-at-the-provider'

describe.skipIf(missing !== undefined)(`in a browser, with LemonLDAP::NG${missing ? `: ${missing}` : ''}`, () => {
  let platform: TestPlatform
  let provider: Lemonldap
  let browser: Browser

  beforeAll(async () => {
    const keys = makeSigningPair()
    ;[platform, provider, browser] = await Promise.all([
      startPlatform({ clock: systemClock }),
      openLemonldap(keys),
      openBrowser(),
    ])
    await platform.must('POST', '/api/v1/namespaces', { metadata: { name: 'tenant-platform' } })
    await platform.must('POST', '/api/v1/namespaces/tenant-platform/secrets', {
      metadata: { name: 'lemon' },
      stringData: { clientSecret },
    })
    const { url, authority: caBundle } = provider
    const redirectUri = (name: string) => `${platform.server.url}/auth/callback/${name}`
    await connect('lemon-oidc', 'Lemon by OIDC', {
      type: 'oidc',
      oidc: {
        issuer: url,
        clientId: 'platform',
        clientSecretRef: { name: 'lemon' },
        caBundle,
        getUserInfo: true,
        usernamePrefix: 'oidc-',
      },
    })
    await connect('lemon-saml', 'Lemon by SAML', {
      type: 'saml',
      saml: {
        issuer: `${url}saml/metadata`,
        ssoUrl: `${url}saml/singleSignOn`,
        certificates: [keys.certificate],
        redirectUri: redirectUri('lemon-saml'),
        attributes: { username: 'uid', preferredUsername: 'cn', email: 'mail' },
      },
    })
    await provider.start({
      ...applicationOf(redirectUri('lemon-oidc')),
      ...serviceOf(await metadataOf('lemon-saml')),
    })
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await provider?.stop()
    await platform?.stop()
  })

  const connect = (name: string, displayName: string, spec: object) =>
    platform.must('POST', `${management}/connectors`, { metadata: { name }, spec: { displayName, ...spec } })

  async function metadataOf(connector: string): Promise<string> {
    const dispatcher = patientAgent({ ca: platform.server.authority })
    const { body } = await request(`${platform.server.url}/auth/saml/${connector}`, { dispatcher })
    const text = await body.text()
    await dispatcher.close()
    return text
  }

  async function signIn(connector: string, name: string) {
    const { page, leave } = await visit(browser)
    await page.goto(platform.server.url)
    await page.getByRole('button', { name: `Sign in with ${connector}` }).click()
    await page.locator('input[name=user]').fill(name)
    await page.locator('input[name=password]').fill(name)
    await page.locator('button[type=submit]').first().click()
    await page.waitForURL((address) => address.origin === platform.server.url)
    await page.getByRole('navigation').or(page.getByText('Reference:')).first().waitFor()
    expect(await page.locator('body').textContent()).not.toContain('Reference:')
    await leave()
  }

  async function endOf(connector: string): Promise<number> {
    const { items } = await platform.must('GET', `${keysPath}?fieldSelector=spec.type%3DLogin`)
    type Session = {
      readonly metadata: { readonly creationTimestamp: string }
      readonly spec: { readonly identity?: { readonly connector: string } }
      readonly status: { readonly session: { readonly latestEnd: string } }
    }
    const session = (items as readonly Session[]).find(({ spec }) => spec.identity?.connector === connector)
    const [begin = '', end = ''] = [session?.metadata.creationTimestamp, session?.status.session.latestEnd]
    return (Date.parse(end) - Date.parse(begin)) / 3_600_000
  }

  async function identityOf(connector: string) {
    const { items } = await platform.must('GET', `${keysPath}?fieldSelector=spec.type%3DLogin`)
    type Session = { readonly spec: { readonly user: string; readonly identity?: { readonly connector: string } } }
    return (items as readonly Session[]).find(({ spec }) => spec.identity?.connector === connector)?.spec
  }

  it('a user signs in by OpenID Connect', async () => {
    await signIn('Lemon by OIDC', 'dwho')
    expect(await identityOf('lemon-oidc')).toMatchObject({
      identity: {
        userId: 'dwho',
        username: 'oidc-dwho',
        preferredUsername: 'Doctor Who',
        email: 'dwho@badwolf.org',
        groups: expect.toSatisfy((groups: readonly string[]) => groups.toSorted().join() === 'timelords,users'),
      },
    })
  }, 240_000)

  it('a user signs in by SAML', async () => {
    await signIn('Lemon by SAML', 'rtyler')
    expect(await identityOf('lemon-saml')).toMatchObject({
      user: 'rtyler',
      identity: {
        username: 'rtyler',
        preferredUsername: 'Rose Tyler',
        email: 'rtyler@badwolf.org',
        groups: expect.toSatisfy((groups: readonly string[]) => groups.toSorted().join() === 'earthlings,users'),
      },
    })
  }, 240_000)

  it('a session lasts no longer than the provider says, and only briefly if it cannot be refreshed', async () => {
    expect(await endOf('lemon-saml')).toBeCloseTo(2 + 300 / 3600, 1)
    expect(await endOf('lemon-oidc')).toBeCloseTo(12, 1)
  })

  it('a user whose session has ended continues with one click while the session at the provider lasts', async () => {
    const { page, leave } = await visit(browser)
    await page.goto(`${platform.server.url}/projects`)
    await page.getByRole('button', { name: 'Sign in with Lemon by SAML' }).click()
    await page.locator('input[name=user]').fill('msmith')
    await page.locator('input[name=password]').fill('msmith')
    await page.locator('button[type=submit]').first().click()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await platform.must('DELETE', `${keysPath}?fieldSelector=spec.type%3DLogin,spec.user%3Dmsmith`)
    await page.getByText('Your session has ended.').waitFor()
    await page.getByRole('button', { name: 'Sign in with Lemon by SAML' }).click()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    expect(page.url()).toBe(`${platform.server.url}/projects`)
    await leave()
  }, 240_000)
})

/** The platform as an OpenID Connect application. */
function applicationOf(redirectUri: string): object {
  return {
    oidcRPMetaDataOptions: {
      platform: {
        oidcRPMetaDataOptionsClientID: 'platform',
        oidcRPMetaDataOptionsClientSecret: clientSecret,
        oidcRPMetaDataOptionsRedirectUris: redirectUri,
        oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
        oidcRPMetaDataOptionsRequirePKCE: 1,
        oidcRPMetaDataOptionsBypassConsent: 1,
      },
    },
    oidcRPMetaDataExportedVars: {
      platform: { name: 'cn', email: 'mail', preferred_username: 'uid', groups: 'groups;string;always' },
    },
    oidcRPMetaDataOptionsExtraClaims: { platform: { profile: 'name preferred_username groups' } },
  }
}

/** The platform as a SAML service. */
function serviceOf(metadata: string): object {
  return {
    samlSPMetaDataXML: { platform: { samlSPMetaDataXML: metadata } },
    samlSPMetaDataOptions: {
      platform: {
        samlSPMetaDataOptionsNameIDFormat: 'persistent',
        samlSPMetaDataOptionsSignSSOMessage: 1,
        samlSPMetaDataOptionsCheckSSOMessageSignature: 0,
        samlSPMetaDataOptionsEncryptionMode: 'none',
        samlSPMetaDataOptionsSessionNotOnOrAfterTimeout: 7_200,
      },
    },
    samlSPMetaDataExportedAttributes: {
      platform: { uid: '1;uid', cn: '1;cn', mail: '1;mail', groups: '1;groups' },
    },
  }
}
