import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRelay } from '../support/network/tcp-relay.ts'
import { noBrowser, openBrowser, signIn, visit } from './support/browser.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

describe.skipIf(noBrowser !== undefined)('a connection that drops', () => {
  let platform: RunningConsole
  let browser: Browser

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([startConsole({ withDemo: false }), openBrowser()])
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  it('is shown, keeps what was displayed or typed, and catches up on its own', async () => {
    const { must, management } = platform
    const user = (name: string) => must('POST', `${management}/users`, { metadata: { name } })
    await user('before')
    const relay = await startRelay(Number(new URL(platform.url).port))
    const visitor = await visit(browser)
    const { page } = visitor
    await signIn(visitor, relay.address.replace('http:', 'https:'), platform.adminKey, '/users')
    await page.getByRole('link', { name: 'before' }).waitFor()
    await page.getByLabel('Search Users').fill('e')

    // A laptop without a network still reaches the platform on itself.
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'onLine', { configurable: true, value: false })
      window.dispatchEvent(new Event('offline'))
    })
    await page.getByLabel('Search Users').fill('be')
    await page.getByLabel('Search Users').fill('e')
    expect(await page.getByText('The connection to the platform is interrupted.').count()).toBe(0)

    await relay.cut()
    await page.getByText('The connection to the platform is interrupted.').waitFor()
    await visitor.shot('interrupted')
    await user('meanwhile')
    await must('DELETE', `${management}/users/before`)
    expect(await page.getByRole('link', { name: 'before' }).count()).toBe(1)
    expect(await page.getByLabel('Search Users').inputValue()).toBe('e')

    await relay.restore()
    await page.getByRole('link', { name: 'meanwhile' }).waitFor()
    await page.getByRole('link', { name: 'before' }).waitFor({ state: 'detached' })
    await page.getByText('The connection to the platform is interrupted.').waitFor({ state: 'detached' })
    await visitor.leave()
    await relay.cut()
  })
})
