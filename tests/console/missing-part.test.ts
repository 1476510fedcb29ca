import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser, openBrowser, signIn, visit } from './support/browser.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

describe.skipIf(noBrowser !== undefined)('a part of the console that cannot be loaded', () => {
  let platform: RunningConsole
  let browser: Browser

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([startConsole({ withDemo: false }), openBrowser()])
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  it('is missing only in its own place, and is loaded when the user tries again', async () => {
    const visitor = await visit(browser)
    const { page } = visitor
    const file = /\/assets\/code-editor-[^/]*\.js$/
    await page.route(file, (route) => route.fulfill({ status: 404 }))
    await signIn(visitor, platform.url, platform.adminKey, '/users/admin')
    await page.getByRole('tab', { name: 'YAML' }).click()

    await page.getByText('The editor could not be loaded.').waitFor()
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Access keys' }).isVisible()).toBe(true)
    expect(await page.getByText('kind: User').isVisible()).toBe(true)

    await page.unroute(file)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('textbox').getByText('kind: User').waitFor()
    await visitor.leave()
  })
})
