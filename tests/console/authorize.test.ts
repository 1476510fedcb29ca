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
    visitor = await visit(browser)
    await visitor.page.route(`${callback}**`, (route) => {
      came.push(new URL(route.request().url()))
      return route.fulfill({ body: 'signed in to Grafana' })
    })
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  const addressOf = (client: string) =>
    `${platform.server.url}/oidc/authorize?${new URLSearchParams({
      client_id: client,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'openid profile groups',
      state: 'xyz',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    })}`

  it('asks after the sign-in what was asked before it, and leaves with a code', async () => {
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

  it('says no, and asks nothing where the operator said so', async () => {
    const { page } = visitor
    await page.goto(addressOf('ask'))
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('signed in to Grafana').waitFor()
    expect(came.at(-1)?.searchParams.get('error')).toBe('access_denied')
    await page.goto(addressOf('none'))
    await page.getByText('signed in to Grafana').waitFor()
    expect(came.at(-1)?.searchParams.has('code')).toBe(true)
  })
})
