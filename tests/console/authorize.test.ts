import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { management, startPlatform, type TestPlatform, userNamed } from '../platform/platform.ts'
import { noBrowser, openBrowser, signIn, type Visitor, visit } from './support/browser.ts'

const callback = 'https://grafana.example/login/generic_oauth'

describe.skipIf(noBrowser !== undefined)('signing in to an application, in the console', () => {
  let platform: TestPlatform
  let browser: Browser
  let visitor: Visitor
  const came: URL[] = []

  beforeAll(async () => {
    const settings = { domain: 'platform.internal', oidcIssuer: 'https://platform.example/oidc' }
    ;[platform, browser] = await Promise.all([startPlatform({ clock: systemClock, platform: settings }), openBrowser()])
    await platform.must('POST', `${management}/users`, userNamed('ann'))
    for (const consent of ['ask', 'none']) {
      await platform.must('POST', `${management}/oidcclients`, {
        metadata: { name: consent },
        spec: { displayName: 'Grafana', redirectUris: [callback], consent },
      })
    }
    visitor = await visitGrafana()
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  async function visitGrafana(): Promise<Visitor> {
    const opened = await visit(browser)
    await opened.page.route(`${callback}**`, (route) => {
      came.push(new URL(route.request().url()))
      return route.fulfill({ body: 'signed in to Grafana' })
    })
    return opened
  }

  const addressOf = (client: string, more = {}) =>
    `${platform.server.url}/oidc/authorize?${new URLSearchParams({
      ...more,
      client_id: client,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'openid profile groups',
      state: 'xyz',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    })}`

  it('repeats the request after the sign-in, and redirects with a code', async () => {
    const { page } = visitor
    await signIn(visitor, platform.server.url, await platform.keyOf('ann'))
    await page.goto(addressOf('ask'))
    await page.getByText('asks to sign you in as').waitFor()
    await page.getByText('the teams that you are in').waitFor()
    expect(page.url()).toBe(`${platform.server.url}/authorize`)
    await visitor.shot('authorize')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('signed in to Grafana').waitFor()
    expect(Object.fromEntries(came.at(-1)?.searchParams ?? [])).toEqual({
      code: expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/),
      state: 'xyz',
      iss: 'https://platform.example/oidc',
    })
  })

  it('reports a refusal, and does not ask if the operator skips consent', async () => {
    const { page } = visitor
    await page.goto(addressOf('ask'))
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('signed in to Grafana').waitFor()
    expect(came.at(-1)?.searchParams.get('error')).toBe('access_denied')
    await page.goto(addressOf('none'))
    await page.getByText('signed in to Grafana').waitFor()
    expect(came.at(-1)?.searchParams.has('code')).toBe(true)
  })

  it('with prompt=none redirects with a code, or with an error if a page is needed', async () => {
    const silently = async ({ page }: Visitor, client: string) => {
      // The target of a redirect is not routed, and there is no Grafana.
      const tab = await page.context().newPage()
      const answer = tab.waitForRequest(`${callback}**`)
      await tab.goto(addressOf(client, { prompt: 'none' })).catch(() => {})
      const { searchParams } = new URL((await answer).url())
      await tab.close()
      return searchParams
    }
    expect((await silently(visitor, 'none')).has('code')).toBe(true)
    expect((await silently(visitor, 'ask')).get('error')).toBe('consent_required')
    const stranger = await visitGrafana()
    expect((await silently(stranger, 'none')).get('error')).toBe('login_required')
    const scope = { projects: [{ project: '*' }] }
    await signIn(stranger, platform.server.url, await platform.keyOf('ann', { scope }))
    expect((await silently(stranger, 'none')).get('error')).toBe('login_required')
    await stranger.leave()
  })
})
