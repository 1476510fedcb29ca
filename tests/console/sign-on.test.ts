import type { Browser, Request, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ForeignProvider, startForeignProvider } from '../sign-on/support/foreign-provider.ts'
import { noBrowser, openBrowser, visit } from './support/browser.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

let platform: RunningConsole
let provider: ForeignProvider
let browser: Browser

beforeAll(async () => {
  if (noBrowser !== undefined) return
  ;[platform, browser] = await Promise.all([startConsole({ withDemo: false }), openBrowser()])
  provider = await startForeignProvider(`${platform.url}/auth/callback/foreign`)
  await platform.must('POST', '/api/v1/namespaces', { metadata: { name: 'tenant-platform' } }).catch(() => {})
  await platform.must('POST', '/api/v1/namespaces/tenant-platform/secrets', {
    metadata: { name: 'foreign' },
    stringData: { clientSecret: provider.clientSecret },
  })
  await platform.must('POST', `${platform.management}/connectors`, {
    metadata: { name: 'foreign' },
    spec: {
      displayName: 'Foreign provider',
      type: 'oidc',
      oidc: {
        issuer: provider.url,
        clientId: provider.clientId,
        clientSecretRef: { name: 'foreign' },
        caBundle: provider.authority,
      },
    },
  })
}, 240_000)

afterAll(async () => {
  await browser?.close()
  await provider?.stop()
  await platform?.stop()
})

type Session = {
  readonly metadata: { readonly creationTimestamp: string }
  readonly status: { readonly session: { readonly latestEnd: string } }
}

function hoursOf({ metadata, status }: Session): number {
  return (Date.parse(status.session.latestEnd) - Date.parse(metadata.creationTimestamp)) / 3_600_000
}

describe.skipIf(noBrowser !== undefined)('in a browser, with an external provider', () => {
  it('a user signs in, and reaches the requested page', async () => {
    const { page, leave } = await visit(browser)
    await page.goto(`${platform.url}/keys?q=mine`)
    await page.getByRole('button', { name: 'Sign in with Foreign provider' }).click()
    await page.locator('input[name=login]').fill('maria')
    await page.locator('input[name=password]').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Access keys' }).waitFor()
    expect(page.url()).toBe(`${platform.url}/keys?q=mine`)
    const user = await platform.must('GET', `${platform.management}/users/maria`)
    expect(user.spec.identities).toEqual([{ connector: 'foreign', userId: 'maria' }])
    const keys = await platform.must('GET', `${platform.management}/ownedaccesskeys?fieldSelector=spec.user%3Dmaria`)
    expect(keys.items).toMatchObject([{ spec: { type: 'Login', identity: { connector: 'foreign', userId: 'maria' } } }])
    // The provider sends no refresh token without a request for one, so the session ends after 12 hours.
    expect(hoursOf(keys.items[0])).toBeCloseTo(12, 1)
    await page.getByRole('tab', { name: 'Sessions' }).click()
    await page.getByRole('row', { name: /maria/ }).getByText('foreign').waitFor()
    await leave()
  }, 240_000)

  it('a page opened with a code of another tab does not sign in', async () => {
    const { page, leave } = await visit(browser)
    await page.goto(`${platform.url}/#sign-on=${'a'.repeat(43)}`)
    await page.getByText('The sign-in was not finished').waitFor()
    expect(page.url()).toBe(`${platform.url}/`)
    await leave()
  }, 240_000)

  it('a misconfigured connector shows an error page with a link back', async () => {
    const { page, leave } = await visit(browser)
    await page.goto(platform.url)
    await page.getByRole('button', { name: 'Sign in with Foreign provider' }).waitFor()
    const connector = await platform.must('GET', `${platform.management}/connectors/foreign`)
    const oidc = { ...connector.spec.oidc, clientSecretRef: { name: 'missing' } }
    await platform.must('PUT', `${platform.management}/connectors/foreign`, {
      ...connector,
      spec: { ...connector.spec, oidc },
    })
    await page.getByRole('button', { name: 'Sign in with Foreign provider' }).click()
    await page.getByRole('heading', { name: 'This way to sign in is not set up correctly' }).waitFor()
    await page.getByRole('link', { name: 'Back to the sign-in page' }).click()
    await page.getByRole('heading', { name: 'Sign in to the platform' }).waitFor()
    await leave()
  }, 240_000)

  it('the ways to sign in are shown when a session ends, also if requests are refused afterwards', async () => {
    const { page, leave } = await visit(browser)
    const open = new Set<Request>()
    page.on('request', (request) => void open.add(request))
    page.on('requestfinished', (request) => void open.delete(request))
    page.on('requestfailed', (request) => void open.delete(request))
    let isHeld = false
    await page.route(/\/apis?\//, (route) => (isHeld ? void asked?.push(route) : route.continue()))
    await page.goto(platform.url)
    await page.getByLabel('Access key').fill(platform.adminKey)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('navigation').first().waitFor()
    // Only watches are open: an answer to anything else could already say that the session has ended.
    const isQuiet = () => open.size > 1 && [...open].every((request) => request.url().includes('watch='))
    await expect.poll(() => (isHeld ||= isQuiet()), { timeout: 120_000 }).toBe(true)
    const [asked, looks, connectors]: Route[][] = [[], [], []]
    await page.route('**/auth/session', (route) => void looks?.push(route))
    await page.route('**/auth/connectors', (route) => void connectors?.push(route))
    await platform.must(
      'DELETE',
      `${platform.management}/ownedaccesskeys?fieldSelector=spec.type%3DLogin,spec.user%3Dadmin`,
    )
    await expect.poll(() => asked?.length, { timeout: 30_000 }).toBeGreaterThan(1)
    // After a 403, the console asks whether the session lives; meanwhile a 401 says that it does not.
    await asked?.shift()?.fulfill({ status: 403 })
    await expect.poll(() => looks?.length).toBe(1)
    await asked?.shift()?.fulfill({ status: 401 })
    await page.getByText('Your session has ended').waitFor()
    await expect.poll(() => connectors?.length).toBe(1)
    await looks?.[0]?.fulfill({ json: {} })
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
    for (const route of connectors ?? []) await route.continue()
    await page.getByRole('button', { name: 'Sign in with Foreign provider' }).waitFor()
    await leave()
  }, 240_000)
})
